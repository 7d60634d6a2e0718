package main

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"lull/cmd/lull/exit"
)

func lull(args ...string) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	cmd := root()
	cmd.SetOut(&out)
	cmd.SetErr(&err)
	return run(cmd, args), out.String(), err.String()
}

func TestUsageErrorsSaySoOnceAndExitWithTwo(t *testing.T) {
	for _, c := range []struct{ line, say string }{
		{"sloter", "did you mean `lull slotter`?"},
		{"up stray", `"stray"`},
		{"up --nope", "--nope"},
		{"slotter --policy lifo", "mp, edf, fifo"},
		{"admission --admission-mode x", "affected, eq7"},
		{"agent --labels gpu --nats nats://127.0.0.1:1", "key=value"},
		{"agent --advertise nowhere --nats nats://127.0.0.1:1", "host:port"},
		{"up --pool a.b", "pool"},
		{"up --log-level loud", "--log-level"},
		{"version --output xml", "text or json"},
		{"completion bash stray", `takes no arguments, and "stray" is one`},
		{"completion csh", `"csh" is no shell that lull knows: choose one of bash, fish, powershell, zsh`},
		{"help nosh", `"nosh" is neither a command nor a topic: the topics are json and words`},
		{"help topology nosh", "`lull topology` has no command \"nosh\""},
		{"help words nosh", "`lull words` has no command \"nosh\""},
	} {
		code, stdout, stderr := lull(strings.Fields(c.line)...)
		if code != exit.Usage || !strings.Contains(stderr, c.say) || strings.Count(stderr, "lull: ") != 1 {
			t.Errorf("lull %s: exit %d, %q; want exit 2 and %q, once", c.line, code, stderr, c.say)
		}
		if stdout != "" {
			t.Errorf("lull %s: stdout = %q, want nothing", c.line, stdout)
		}
	}
}

func TestVersionForMachines(t *testing.T) {
	code, stdout, _ := lull("version", "--output", "json")
	var build struct{ Version, Go string }
	if err := json.Unmarshal([]byte(stdout), &build); code != exit.OK || err != nil || build.Version == "" || build.Go == "" {
		t.Errorf("lull version --output json: exit %d, %q (%v), want exit 0, a version and one of Go", code, stdout, err)
	}
}

func TestDoctorSpeaksToBoth(t *testing.T) {
	data := t.TempDir()
	code, stdout, _ := lull("doctor", "--data", data)
	if code != exit.OK || !strings.Contains(stdout, "idle class") || !strings.Contains(stdout, data) {
		t.Errorf("lull doctor --data %s: exit %d, want exit 0, the idle class and the folder in\n%s", data, code, stdout)
	}
	code, stdout, _ = lull("doctor", "--data", data, "--output", "json", "--nats", "nats://127.0.0.1:1")
	var report struct {
		Checks []struct {
			What string
			OK   bool
		}
	}
	if err := json.Unmarshal([]byte(stdout), &report); err != nil {
		t.Fatal(err)
	}
	if name := regexp.MustCompile(`"[A-Z]\w*":`).FindString(stdout); name != "" {
		t.Errorf("doctor --output json has the field %s, want the names of lull help json, in lower case", name)
	}
	var wrong []string
	for _, check := range report.Checks {
		if !check.OK {
			wrong = append(wrong, check.What)
		}
	}
	if !slices.Equal(wrong, []string{"NATS"}) {
		t.Errorf("checks that are not OK with no server at the address = %q, want NATS alone", wrong)
	}
	if code != exit.OK {
		t.Errorf("lull doctor without a server: exit %d, want 0: it reports, it does not judge", code)
	}
}

func TestHelpNamesEveryCommandInAGroup(t *testing.T) {
	_, stdout, _ := lull("help")
	for _, cmd := range root().Commands() {
		if cmd.IsAvailableCommand() && (!strings.Contains(stdout, "\n  "+cmd.Name()+" ") || cmd.GroupID == "") {
			t.Errorf("lull help does not show %s in a group, want it in one of cmd/lull/help:\n%s", cmd.Name(), stdout)
		}
	}
}

// TestHelpFitsATerminal: no line of help is wider than a terminal of 80 columns, but for commands that people
// copy, and words that cannot be broken.
func TestHelpFitsATerminal(t *testing.T) {
	args := [][]string{{"help"}}
	for _, cmd := range root().Commands() {
		args = append(args, []string{"help", cmd.Name()})
		for _, sub := range cmd.Commands() {
			args = append(args, []string{"help", cmd.Name(), sub.Name()})
		}
	}
	for _, line := range args {
		_, stdout, _ := lull(line...)
		for text := range strings.Lines(stdout) {
			text = strings.TrimRight(text, "\n")
			wide := utf8.RuneCountInString(text) > 80
			if words := strings.Fields(text); wide && len(words) > 1 && words[0] != "lull" {
				t.Errorf("lull %s: a line of %d columns: %q", strings.Join(line, " "), utf8.RuneCountInString(text), text)
			}
		}
	}
}

// What an environment holds is a default, but help is pasted into issues and chats.
func TestHelpShowsNoSecretOfTheEnvironment(t *testing.T) {
	t.Setenv("LULL_TOKEN", "sesame-1")
	t.Setenv("LULL_NATS", "nats://ann:sesame-2@db:4222")
	for _, cmd := range root().Commands() {
		code, stdout, stderr := lull(cmd.Name(), "--help")
		if code != exit.OK || strings.Contains(stdout+stderr, "sesame") {
			t.Errorf("lull %s --help: exit %d, want exit 0 and no secret of the environment in\n%s%s", cmd.Name(), code, stdout, stderr)
		}
	}
}
