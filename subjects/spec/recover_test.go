package spec

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

const everything = `
name: all
type: other
queue: nightly
deadline: {at: 2026-12-01T06:00:00Z, late: run}
output: /out
replace: true
stages:
  - name: map
    command: |
      echo "first"
        # second
      cat
    env: {LC_ALL: C, YES: "yes", N: "1e3", EMPTY: ""}
    sources: [nfs:b, nfs:a]
    bytes: 5MB
    splits: [{ranges: [{path: /a b/é, size: 10, mtime: 5, length: 10}]}, {ranges: [{path: "https://x/y", tag: '"t"', size: 4, length: 4}], param: p}]
    max_failures: 50%
    fail_fast: false
    retries: 0
  - {name: each, command: [echo, "a: b", "- c", "#"], tasks: 2, from: {stage: map, by: task}, cpu: 2, memory: 1GiB, where: {disk: ssd}}
  - {name: part, command: cat, tasks: 3, from: {stage: each, by: partition}, allow_failure: true, timeout: 90s, estimate: 1.5s, backoff: 2s}
  - {name: sorry, command: cat, after: [part], when: failure, dir: /tmp}
  - {name: matrix, command: "true", matrix: {OS: [win, linux], CC: [gcc, clang], N: 1..3, exclude: [{OS: win, CC: gcc}, {CC: clang, N: 2}]}, when: always, after: [map]}
  - {name: lines, command: "true", each: ["", "a", "{}", "06:00", "# x", " y ", "\u2028", "tab\tbed"]}
  - {name: many, command: "true", list: sha256-0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef, tasks: 5000, chunk: 64}
`

// again checks that a document of the job gives the job, in all forms.
func again(t rapid.TB, job Job) string {
	t.Helper()
	d, err := Document(&job)
	if err != nil {
		t.Fatal(err)
	}
	yaml, err := d.YAML()
	if err != nil {
		t.Fatal(err)
	}
	body, err := d.JSON()
	if err != nil {
		t.Fatal(err)
	}
	for form, text := range map[string][]byte{"JSON": body, "YAML": yaml} {
		back, err := Parse(text)
		if err != nil {
			t.Fatalf("%s: Parse = %v, want no error of\n%s", form, err, text)
		}
		if got, err := back.Job(); err != nil || !reflect.DeepEqual(got, job) {
			t.Fatalf("%s: %v\n%s\ngot  %+v\nwant %+v", form, err, text, got, job)
		}
	}
	return string(yaml)
}

func TestAJobGivesItsDocumentAgain(t *testing.T) {
	for _, text := range []string{wordcount, everything} {
		d := parse(t, text)
		if d.Stages[0].Inputs != nil {
			d = filled(t)
		}
		job, err := d.Job()
		if err != nil {
			t.Fatal(err)
		}
		yaml := again(t, job)
		if strings.HasPrefix(yaml, "{") || strings.Contains(yaml, "publish") {
			t.Errorf("the document of a job =\n%s\nwant YAML without publish", yaml)
		}
	}
}

func TestTheDocumentIsWrittenForPeople(t *testing.T) {
	job, err := parse(t, everything).Job()
	if err != nil {
		t.Fatal(err)
	}
	yaml := again(t, job)
	for _, want := range []string{
		"\n    command: |\n      echo \"first\"\n        # second\n      cat\n", "\n      CC: [gcc, clang]\n",
		"\n      exclude:\n", "\nlate: run\n", "\nreplace: true\n", "\n    when: failure\n",
	} {
		if !strings.Contains(yaml, want) {
			t.Errorf("%q is missing:\n%s", want, yaml)
		}
	}
	d, err := Document(&job)
	if err != nil {
		t.Fatal(err)
	}
	if lines := d.Remarks(); len(lines) != 1 || !strings.Contains(lines[0], "5000 tasks") {
		t.Errorf("Remarks() = %q, want one line on 5000 tasks", lines)
	}
}

// FuzzDocument takes what parses: its job gives the document again. Matrices with a value
// twice are the exception that Document says.
func FuzzDocument(f *testing.F) {
	f.Add([]byte(everything))
	f.Add([]byte(wordcount))
	for _, pattern := range []string{"testdata/bad/*.yaml", "../../examples/*.yaml"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			f.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(text)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := Parse(text)
		if err != nil {
			return
		}
		for i := range d.Stages {
			if d.Stages[i].Inputs != nil {
				d.FillSplits(i, []Split{{Ranges: []Range{{Path: "/f", Size: 3, Length: 3}}}})
			}
		}
		job, err := d.Job()
		if err != nil {
			return
		}
		if _, err := Document(&job); err == nil {
			again(t, job)
		}
	})
}

// TestTextsComeBack writes texts that YAML takes for something else.
func TestTextsComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.StringN(1, 20, -1), rapid.StringMatching(`[ \n\t:#'"|>%&*!?{}\[\],.0-9a-z~-]{1,12}`),
			rapid.SampledFrom([]string{"null", "~", "0x1F", "1_000", "06:00", ".inf", "a\n\nb\n", "a\n b", "|\n", "---\nx", "...", "\r\n", "\u0085"})).
			Filter(func(s string) bool { return !strings.Contains(s, "\x00") && s != "" })
		args := rapid.SliceOfN(text, 1, 4).Draw(t, "command")
		line, value := text.Draw(t, "line"), text.Draw(t, "value")
		again(t, Job{Name: "j", Type: "j", Stages: []Stage{
			{Name: "a", Argv: args, Env: []string{"A=" + value}, Tasks: 1, CPU: 1, Memory: DefaultMemory, Retries: 3, Backoff: DefaultBackoff},
			{Name: "b", Argv: []string{"sh", "-c", line}, Splits: []Split{{Param: value}, {Param: line}}, Tasks: 2, CPU: 1, Memory: DefaultMemory, Retries: 3, Backoff: DefaultBackoff},
		}})
	})
}

// TestMatricesComeBack leaves out combinations at random.
func TestMatricesComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := &Matrix{}
		for i := range rapid.IntRange(1, 4).Draw(t, "keys") {
			m.axes = append(m.axes, axis{string(rune('A' + i)), rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z0-9]{1,3}`), 1, 4, rapid.ID).Draw(t, "values")})
		}
		for range rapid.IntRange(0, 3).Draw(t, "entries") {
			some := map[string]string{}
			for _, a := range m.axes {
				if rapid.Bool().Draw(t, "named") {
					some[a.name] = rapid.SampledFrom(a.values).Draw(t, "value")
				}
			}
			m.exclude = append(m.exclude, some)
		}
		names, splits := m.split()
		if len(splits) == 0 {
			return
		}
		got, ok := matrixOf(names, splits)
		if !ok {
			if len(m.exclude) == 0 {
				t.Fatalf("no matrix found for %v, want one", splits)
			}
			return // what is excluded may hide the order of the values
		}
		if _, made := got.split(); !reflect.DeepEqual(made, splits) {
			t.Fatalf("%+v\nmade %v\nwant %v", got, made, splits)
		}
	})
}
