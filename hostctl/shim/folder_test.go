package shim

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"lull/actors/account"
	"lull/hostctl/lines"
	"lull/subjects"
)

// Exec returns the same error for a folder that may not be entered and for a command that may
// not be executed.
func TestAWorkingFolderThatCannotBeEnteredIsNamed(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root, whose tasks run as another user")
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	top, err := os.MkdirTemp("/tmp", "lull-folder-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(top) })
	if err := os.Chmod(top, 0o755); err != nil {
		t.Fatal(err)
	}
	closed, open := filepath.Join(top, "closed"), filepath.Join(top, "open")
	for path, mode := range map[string]os.FileMode{closed: 0o700, open: 0o755} {
		if err := os.Mkdir(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	for dir, want := range map[string]string{
		closed:                       "working folder " + closed + " may not be entered: tasks run as ",
		filepath.Join(closed, "any"): " may not be entered: tasks run as ",
		filepath.Join(open, "any"):   "does not exist on this host",
		open:                         `command "tool" may not be executed`,
	} {
		task := Task{Argv: []string{"tool"}, Dir: dir}
		task.Bounds.User = account.Nobody
		got := explainFailure(unix.EACCES, &task)
		if read := (&subjects.Failed{Reason: got.reason, Text: got.text}).Words(); !strings.Contains(read, want) {
			t.Errorf("%s: the user reads %q, want %q", dir, read, want)
		}
	}
}

// What an unreadable input needs is part of what the user reads, not of the system's message behind it.
func TestAnUnreadableInputNamesTheUserThatReadsIt(t *testing.T) {
	task := task{Task: Task{Bounds: Bounds{User: account.Nobody}}}
	text := unreadable(&lines.InputError{Path: "/in", Err: unix.EACCES}, task.Bounds.User)
	if read := (&subjects.Failed{Reason: subjects.ReasonInput, Text: text}).Words(); !strings.Contains(read, "let it read the file, chmod o+r") {
		t.Errorf("the user reads %q", read)
	}
}
