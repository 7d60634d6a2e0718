package shim

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lull/actors/account"
	"lull/subjects"
	"lull/subjects/spec"
)

// openFolder is a folder that every user may enter.
func openFolder(t *testing.T) string {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs root, whose file is not to be read")
	}
	dir, err := os.MkdirTemp("", "lull-input-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	return dir
}

// ranged writes a file and returns all of it as a range.
func ranged(t *testing.T, path string, text []byte, mode os.FileMode) spec.Range {
	t.Helper()
	if err := os.WriteFile(path, text, mode); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return spec.Range{Path: path, Size: info.Size(), MTime: info.ModTime().UnixNano(), Length: info.Size()}
}

// The shim checked ranges as the task's user, and opened them again as root when the feeder
// reached them. A task that swapped a file for a link in between could read files that only
// root may read. With many files, only the first stay open, and the last is opened again.
func TestALinkInAnInputsPlaceIsNotFollowed(t *testing.T) {
	for _, files := range []int{2, 600} {
		dir := openFolder(t)
		secret := ranged(t, filepath.Join(dir, "secret"), []byte("of root's alone\n"), 0o600)
		big := ranged(t, filepath.Join(dir, "big"), bytes.Repeat([]byte("line\n"), 1<<20), 0o644)
		ranges := []spec.Range{big}
		for i := 1; i < files; i++ {
			ranges = append(ranges, ranged(t, filepath.Join(dir, string(rune('A'+i%26))+strings.Repeat("x", i/26)), []byte("of everybody's..\n")[:secret.Size], 0o644))
		}
		last := &ranges[files-1]
		if err := os.Chtimes(last.Path, fileTime(t, secret.Path), fileTime(t, secret.Path)); err != nil {
			t.Fatal(err)
		}
		last.MTime = secret.MTime
		cfg := testConfig(t)
		c := launch(t, cfg)
		task := shell(cfg, uint64(files), `read -r l; rm `+last.Path+`; ln -s `+secret.Path+` `+last.Path+`; grep root || echo nothing`)
		task.Stdin = Stdin{Ranges: ranges}
		task.Bounds = Bounds{Unfenced: true, User: account.Nobody}
		task.Dir = dir
		e := run(t, c, task)
		// A task whose input failed may have ended before it opened its output.
		out, err := os.ReadFile(filepath.Join(cfg.Dir, "stdout"))
		if err != nil && e.Reason != subjects.ReasonInput {
			t.Error(err)
		}
		if bytes.Contains(out, []byte("root")) {
			t.Errorf("%d files: the task read a file of root, want an error", files)
		}
		if files == 600 && e.Reason != subjects.ReasonInput {
			t.Errorf("%d files: %+v, want a failure of the input", files, e)
		}
	}
}

// fileTime is the modification time of a file.
func fileTime(t *testing.T, path string) time.Time {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.ModTime()
}

// Another program that writes to an input while the task reads it makes the result one of neither version, although
// the task itself notices nothing.
func TestAnInputThatChangesWhileItIsReadIsAFailure(t *testing.T) {
	cfg := testConfig(t)
	c, attempt := launch(t, cfg), uint64(0)
	for name, change := range map[string]string{"shrinks": "truncate -s 9 big", "grows": "echo more >>big", "is overwritten": "printf other | dd of=big conv=notrunc"} {
		for ranges := 1; ranges <= 2; ranges++ { // handed over, and fed through a pipe
			big := ranged(t, filepath.Join(cfg.Dir, "big"), bytes.Repeat([]byte("line\n"), 1<<18), 0o644)
			attempt++
			task := shell(cfg, attempt, "read -r l; "+change+"; cat >/dev/null; exit 0")
			task.Stdin = Stdin{Ranges: []spec.Range{big, big}[:ranges]}
			if e := run(t, c, task); e.Reason != subjects.ReasonInput || !strings.Contains(e.Text, "/big: ") {
				t.Errorf("the input %s, %d ranges: %+v", name, ranges, e)
			}
		}
	}
}
