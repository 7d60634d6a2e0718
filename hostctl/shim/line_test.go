package shim

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"lull/actors/account"
	"lull/subjects"
)

func TestTheFirstCommandOfALine(t *testing.T) {
	for line, want := range map[string]string{
		"tool a b":                       "tool",
		"tool":                           "tool",
		"exec './tool' 'a b'":            "./tool",
		"exec tool":                      "tool",
		"# what it does\n\n  tool >out":  "tool",
		"tool | sort":                    "tool",
		"tool; exit 0":                   "tool",
		"/opt/x/tool -v && echo done":    "/opt/x/tool",
		"cd /tmp && tool":                "", // the shell's own
		"exit 127":                       "",
		"if tool; then exit 127; fi":     "",
		"tool() { return 127; }; tool":   "", // a function
		"tool () { return 127; }; tool":  "",
		"$TOOL a":                        "",
		`"$HOME"/tool a`:                 "",
		"A=1 tool":                       "",
		"tool$X":                         "",
		"(tool)":                         "",
		"":                               "",
		"eval \"$LULL_PARAM\"":           "",
		"tool\\ with\\ blanks argument":  "",
		"exec 'tool with blanks' 'more'": "tool with blanks",
	} {
		if got, _ := firstCommand(line); got != want {
			t.Errorf("%q: got %q, want %q", line, got, want)
		}
	}
}

func TestAComplaintOfTheShellNamesItsCommand(t *testing.T) {
	for _, c := range []struct{ line, complaint, want string }{
		{"set -e\ntool", "sh: 2: tool: not found", "tool"},
		{"set -e\ntool", "/bin/sh: line 2: tool: command not found", "tool"},
		{"a\ntool | b", "bash: line 2: tool: command not found", "a tool"},
		{"set -e\nexec tool", "/bin/sh: 1: exec: tool: not found", "tool"},
		{"set -e\n./tool", "sh: 2: ./tool: not found", ""}, // it may be made by the line
		{"set -e\nother", "sh: 2: tool: not found", ""},    // what a program started
		{"set -e\ntool", "tool: 2: config: not found", ""}, // the program's own words
		{"set -e\ntool", "error: tool: no such setting", ""},
	} {
		if got := possiblyMissing(c.line, c.complaint); strings.Join(got, " ") != c.want {
			t.Errorf("possiblyMissing(%q, %q) = %q, want %q", c.line, c.complaint, got, c.want)
		}
	}
}

// A shell exits with 127 if it does not find a command; so may a program.
func TestOnlyACommandThatIsNotThereIsMissing(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	dir := t.TempDir()
	stderr := filepath.Join(dir, "stderr")
	for name, mode := range map[string]os.FileMode{"mine": 0o755, "plain": 0o644} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\nexit 127\n"), mode); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		argv   []string
		said   string
		status int
		want   string // "" for an ordinary failure
	}{
		{[]string{"sh", "-c", "no-such-tool a"}, "", 127, "command not found on this host: \"no-such-tool\""},
		{[]string{"bash", "-euo", "pipefail", "-c", "no-such-tool a | sort"}, "", 127, "command not found on this host: \"no-such-tool\""},
		{[]string{"/bin/sh", "-c", "exec './no-such-tool'"}, "", 127, "command not found on this host: \"./no-such-tool\""},
		{[]string{"sh", "-c", "set -e\nno-such-tool a"}, "x\nsh: 2: no-such-tool: not found\n", 127, "\"no-such-tool\""},
		{[]string{"sh", "-c", "./plain"}, "", 126, "\"./plain\" may not be executed"},
		{[]string{"sh", "-c", "./mine"}, "", 127, ""},
		{[]string{"sh", "-c", "mine"}, "", 127, ""},
		{[]string{"sh", "-c", "no-such-tool a; exit 3"}, "", 3, ""},
		{[]string{"python3", "-c", "no-such-tool"}, "", 127, ""},
		{[]string{"sh", "-c", "exit 127"}, "sh: 1: other: not found\n", 127, ""},
	} {
		if err := os.WriteFile(stderr, []byte(c.said), 0o600); err != nil {
			t.Fatal(err)
		}
		run := task{Task: Task{Argv: c.argv, Env: []string{"PATH=/bin:" + dir}, Dir: dir, Stderr: stderr}}
		switch got := run.absent(c.status); {
		case got == nil && c.want != "":
			t.Errorf("absent(%q) = nil, want %s", c.argv, c.want)
		case got != nil && (c.want == "" || got.reason != subjects.ReasonNotFound || !strings.Contains(got.text, c.want)):
			t.Errorf("%q: %+v, want %q", c.argv, got, c.want)
		}
	}
}

// sh goes on to the next folder of its PATH after one that it may not enter.
func TestLookupGoesOnBehindFoldersThatCannotBeEntered(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root, whose tasks run as another user")
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	top, err := os.MkdirTemp("/tmp", "lull-path-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(top) })
	closed, open := filepath.Join(top, "closed"), filepath.Join(top, "open")
	for path, mode := range map[string]os.FileMode{top: 0o755, closed: 0o700, open: 0o755, filepath.Join(open, "folder"): 0o755} {
		if err := os.MkdirAll(path, mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	for name, mode := range map[string]os.FileMode{"tool": 0o755, "text": 0o644} {
		if err := os.WriteFile(filepath.Join(open, name), nil, mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(filepath.Join(open, name), mode); err != nil {
			t.Fatal(err)
		}
	}
	env := []string{"PATH=" + closed + ":" + open}
	look := func(name string) (path, text string) {
		task := Task{Argv: []string{name}, Env: env, Dir: top}
		task.Bounds.User = account.Nobody
		err := task.Bounds.User.As(func() (err error) {
			path, err = resolveCommand(task.Argv, task.Env, task.Dir)
			return err
		})
		if err != nil {
			text = explainFailure(err, &task).text
		}
		return path, text
	}
	if path, text := look("tool"); path != filepath.Join(open, "tool") {
		t.Errorf("look(tool) = %q, %s, want %s", path, text, filepath.Join(open, "tool"))
	}
	for name, want := range map[string][]string{
		"absent": {"command not found on this host", "may not enter " + closed},
		"folder": {"command not found on this host"},
		"text":   {"may not be executed", filepath.Join(open, "text")},
	} {
		_, text := look(name)
		if slices.ContainsFunc(want, func(part string) bool { return !strings.Contains(text, part) }) {
			t.Errorf("%s: %q, want %q", name, text, want)
		}
	}
	shell := task{Task: Task{Argv: []string{"sh", "-c", "exec absent"}, Env: env, Dir: top}}
	shell.Bounds.User = account.Nobody
	if found := shell.absent(shellCannotRun); found == nil || found.status != shellNotFound { // as dash ends
		t.Errorf("a shell without its command: %+v, want the status %d", found, shellNotFound)
	}
}
