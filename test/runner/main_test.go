package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lull/test/steal"
)

// A module with lull's name, so that lull/client is live and lull/subjects exact in it.
func module(t *testing.T, files map[string]string) {
	dir := t.TempDir()
	files["go.mod"] = "module lull\n\ngo 1.26\n"
	for path, text := range files {
		path = filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
}

// tests returns a file of tests with these bodies. Those that fail once leave a file.
func tests(pkg string, bodies ...string) string {
	text := "package " + pkg + `
import (
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

var _, _ = strconv.Itoa, time.Now

func once(t *testing.T) {
	mark := filepath.Base(t.Name())
	if _, err := os.Stat(mark); err != nil {
		_ = os.WriteFile(mark, nil, 0o644)
		t.Error("the machine was busy")
	}
}
`
	for _, body := range bodies {
		name, body, _ := strings.Cut(body, ": ")
		text += "\nfunc " + name + "(t *testing.T) { " + body + " }\n"
	}
	return text
}

// machines: one with CPU to spare, one that never has any, and one that others take while a test runs.
var (
	idle = machine{calm: func() (bool, float64, error) { return true, 0, nil }, read: func() (reading, error) { return reading{}, nil }}
	full = machine{calm: func() (bool, float64, error) { return false, 0.004, nil }, read: idle.read}
)

func taken() machine {
	var all uint64
	return machine{calm: idle.calm, read: func() (reading, error) {
		all += 100
		return reading{steal.Ticks{All: all}, map[process]uint64{{id: 2}: all}}, nil
	}}
}

func TestOnlyFaultsAreRefused(t *testing.T) {
	for name, c := range map[string]struct {
		machine machine
		client  string // a test of the live package
		exact   string // a test of the exact one
		green   bool
		told    string
	}{
		"all pass":                  {idle, "TestA: ", "TestB: ", true, ""},
		"a live test failed once":   {idle, "TestA: once(t)", "TestB: ", true, "flaky: lull/client/TestA ("},
		"a live test fails":         {idle, `TestA: t.Error("lost")`, "TestB: ", false, "failed: lull/client/TestA: it failed again, alone ("},
		"an exact test failed once": {idle, "TestA: ", "TestB: once(t)", false, "failed: lull/subjects/TestB: its tests are exact ("},
		"a panic":                   {idle, "TestA: panic(t.Name())", "TestB: ", false, "failed: lull/client/TestA: it panicked ("},
		"no build":                  {idle, "TestA: undefined()", "TestB: ", false, "failed: lull/client: it does not compile ("},
		"no CPU at all":             {full, `TestA: t.Error("lost")`, "TestB: ", true, "not conclusive: lull/client/TestA: the machine left 0.4 % idle: live tests are not conclusive ("},
		"no CPU while it ran again": {taken(), `TestA: t.Error("lost")`, "TestB: ", true, "others took 100 % of the machine: live tests are not conclusive ("},
		"a subtest failed once":     {idle, `TestA: t.Run("x y", once); t.Run("z", func(*testing.T) {})`, "TestB: ", true, "flaky: lull/client/TestA/x_y ("},
		"a test with another name each time": {
			idle, `TestA: t.Run(strconv.FormatInt(time.Now().UnixNano(), 36), func(t *testing.T) { t.Error("lost") })`, "TestB: ", false,
			": it did not run again (",
		},
		"a process that ends too early": {idle, "TestA: os.Exit(3)", "TestB: ", false, "failed: lull/client: it failed again, alone ("},
	} {
		t.Run(name, func(t *testing.T) {
			module(t, map[string]string{"client/a_test.go": tests("client", c.client), "subjects/b_test.go": tests("subjects", c.exact)})
			out := t.TempDir()
			green, err := run(t.Context(), c.machine, []string{"./client", "./subjects"}, out, "")
			if err != nil {
				t.Fatal(err)
			}
			told, err := os.ReadFile(filepath.Join(out, toldList))
			if err != nil {
				t.Fatal(err)
			}
			if green != c.green || !strings.Contains(string(told), c.told) || (c.told == "") != (len(told) == 0) {
				t.Errorf("green: %v, told:\n%swant %v and %q", green, told, c.green, c.told)
			}
		})
	}
}

func TestManyFlakyTestsAreAFault(t *testing.T) {
	module(t, map[string]string{"client/a_test.go": tests("client", "TestA: once(t)", "TestB: once(t)", "TestC: once(t)", "TestD: once(t)")})
	out := t.TempDir()
	green, err := run(t.Context(), idle, []string{"./client"}, out, "")
	if err != nil || green {
		t.Errorf("four flaky tests: green %v (%v), want a fault", green, err)
	}
	// Lists of several runs add up: the next one of the same run of CI has none to spare.
	if green, err = run(t.Context(), idle, []string{"./client"}, out, ""); err != nil || green {
		t.Errorf("a run after four flaky tests: green %v (%v), want a fault", green, err)
	}
}

func TestATestThatIsFlakyTwiceIsAFault(t *testing.T) {
	module(t, map[string]string{"client/a_test.go": tests("client", "TestA: once(t)", "TestB: once(t)")})
	before := filepath.Join(t.TempDir(), "before")
	if err := os.WriteFile(before, []byte("lull/client/TestB\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	green, err := run(t.Context(), idle, []string{"./client"}, t.TempDir(), before)
	if err != nil || green {
		t.Errorf("a test that was flaky in the run before as well: green %v (%v), want a fault", green, err)
	}
}

func TestARunOfOneTestKeepsItsFlags(t *testing.T) {
	got := strings.Join(argsOf([]string{"./test/chaos", "-run", "TestX", "-chaos.seeds", "20"}, "lull/test/chaos", "TestX/seed-1.5"), " ")
	if want := `lull/test/chaos -run TestX -chaos.seeds 20 -count=1 -timeout=10m0s -run=^TestX$/^seed-1\.5$`; got != want {
		t.Errorf("arguments = %s, want %s", got, want)
	}
}
