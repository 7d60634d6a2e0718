package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"lull/subjects/manifest"
)

func open(t *testing.T) *Store {
	t.Helper()
	s, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// A process that is killed while it starts another leaves its lock with that one for a moment.
func TestLockOfTheKilledIsWaitedFor(t *testing.T) {
	first := open(t)
	time.AfterFunc(50*time.Millisecond, func() { _ = first.Close() })
	second, err := Open(first.Root())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(first.Root()); !errors.Is(err, ErrBusy) {
		t.Errorf("Open(a folder in use) = %v, want ErrBusy", err)
	}
	if err := second.Close(); err != nil {
		t.Error(err)
	}
}

func made(t *testing.T, s *Store, task uint32, attempt uint64) Folder {
	t.Helper()
	f := s.Folder(Task{Job: "job", Stage: 1, Task: task}, attempt)
	if err := f.Make(); err != nil {
		t.Fatal(err)
	}
	return f
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func TestCommitIsCanonicalAndRepeatable(t *testing.T) {
	s := open(t)
	var manifests [][]byte
	for attempt, names := range map[uint64][]string{7: {"b", "a/c", "a/b"}, 8: {"a/b", "b", "a/c"}} {
		f := made(t, s, uint32(attempt), attempt)
		for _, name := range names {
			put(t, f.Out()+"/"+name, "text of "+name)
		}
		_, first, err := f.Commit(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		m, second, err := f.Commit(t.Context())
		if err != nil || first != second || len(m.Files) != 3 || m.Files[0].Path != "a/b" {
			t.Errorf("committed again: %+v %x (%v), want the same as %x", m, second, err, first)
		}
		b, err := f.Output().Manifest()
		if err != nil {
			t.Fatal(err)
		}
		manifests = append(manifests, b)
		if _, err := f.Output().Listed(first); err != nil {
			t.Error(err)
		}
		first[0]++
		if _, err := f.Output().Listed(first); err == nil {
			t.Error("Listed(another digest) = nil error, want an error")
		}
	}
	if !bytes.Equal(manifests[0], manifests[1]) {
		t.Error("manifests of the same files differ, want the same bytes")
	}
}

func TestOutputsThatAreNoFilesAreRefused(t *testing.T) {
	for name, spoil := range map[string]func(out string) error{
		"link":      func(out string) error { return os.Symlink("/etc/passwd", out+"/l") },
		"link out":  func(out string) error { return os.Symlink("../work", out+"/l") },
		"detour":    func(out string) error { return os.Symlink("a/../b", out+"/l") },
		"link name": func(out string) error { return os.Symlink("\xff", out+"/l") },
		"socket":    func(out string) error { return syscall.Mknod(out+"/s", syscall.S_IFSOCK|0o600, 0) },
		"folder":    func(out string) error { return os.Mkdir(out+"/\xff", 0o755) },
		"pipe":      func(out string) error { return syscall.Mkfifo(out+"/p", 0o600) },
		"line end":  func(out string) error { return os.WriteFile(out+"/a\nb", nil, 0o600) },
		"not utf-8": func(out string) error { return os.WriteFile(out+"/\xff", nil, 0o600) },
	} {
		f := made(t, open(t), 0, 1)
		if err := spoil(f.Out()); err != nil {
			t.Fatal(err)
		}
		if _, _, err := f.Commit(t.Context()); !errors.Is(err, ErrOutput) {
			t.Errorf("%s: error %v, want ErrOutput", name, err)
		}
	}
}

func TestManifestsCannotClimb(t *testing.T) {
	for _, path := range []string{"../x", "/x", "a/../../x", ""} {
		b, d, err := manifest.Manifest{Files: []manifest.File{{Path: path, Sum: make([]byte, 32)}}}.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := manifest.Decode(b, d); err == nil {
			t.Errorf("Decode(path %q) = nil error, want an error", path)
		}
	}
}

// A mode with Go's setuid bit would make the copy a set-user-ID program of the agent's user.
func TestManifestsHoldPermissionsOnly(t *testing.T) {
	for _, mode := range []uint32{0o4755, uint32(fs.ModeSetuid | 0o755)} {
		b, d, err := manifest.Manifest{Files: []manifest.File{{Path: "x", Mode: mode, Sum: make([]byte, 32)}}}.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := manifest.Decode(b, d); err == nil {
			t.Errorf("Decode(mode %o) = nil error, want an error", mode)
		}
	}
}

// A task's list of input files has one path per line, so a path must not contain a line end.
func TestManifestsNameOneFileALine(t *testing.T) {
	b, d, err := manifest.Manifest{Files: []manifest.File{{Path: "x\n/etc/passwd", Sum: make([]byte, 32)}}}.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := manifest.Decode(b, d); err == nil {
		t.Error("Decode(a path of two lines) = nil error, want an error")
	}
}

func TestClearKeepsWhatIsNeeded(t *testing.T) {
	s := open(t)
	committed := made(t, s, 0, 1)
	put(t, committed.Out()+"/r", "x")
	put(t, committed.Checkpoint()+"/c", "x")
	put(t, committed.Work()+"/w", "x")
	if _, _, err := committed.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	evicted := made(t, s, 1, 2)
	put(t, evicted.Out()+"/r", "x")
	put(t, evicted.Checkpoint()+"/c", "x")
	failed := made(t, s, 2, 3)
	put(t, failed.Stderr(), "why")
	silent := made(t, s, 3, 4)
	for f, done := range map[Folder]bool{committed: true, evicted: false, failed: false, silent: true} {
		if err := f.Clear(done); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]bool{
		committed.Out() + "/r": true, committed.Checkpoint(): false, committed.Work(): false,
		evicted.Path: false, evicted.Checkpoint() + "/c": true,
		failed.Stderr(): true, failed.Out(): false, filepath.Dir(silent.Path): false,
	} {
		if exists(path) != want {
			t.Errorf("%s: kept is %v, want %v", path, !want, want)
		}
	}
	for id, want := range map[uint64]bool{1: true, 2: false, 3: true, 4: false} {
		if _, ok := s.Find(id); ok != want {
			t.Errorf("attempt %d: found is %v, want %v", id, ok, want)
		}
	}
}

// A folder that was changed by its task must not be the next one's.
func TestSpoiltFoldersAreNotHandedOn(t *testing.T) {
	s := open(t)
	f := made(t, s, 0, 1)
	if err := os.Chmod(f.Out(), 0o700); err != nil {
		t.Fatal(err)
	}
	put(t, f.Work()+"/left", "x")
	if err := f.Clear(false); err != nil {
		t.Fatal(err)
	}
	for i := range uint32(10) {
		g := made(t, s, 10+i, uint64(10+i))
		for _, dir := range []string{g.Out(), g.Work(), g.Checkpoint()} {
			entries, err := os.ReadDir(dir)
			info, serr := os.Stat(dir)
			if err != nil || serr != nil || len(entries) != 0 || info.Mode().Perm() != 0o755 {
				t.Fatalf("%s = %v with mode %v, want it new and empty", dir, entries, info.Mode())
			}
		}
	}
}

// An attempt that ends must not take the folder from under a rival.
func TestRivalAttemptsShareTheirTask(t *testing.T) {
	s := open(t)
	first, second := made(t, s, 0, 1), made(t, s, 0, 2)
	if err := first.Clear(true); err != nil {
		t.Fatal(err)
	}
	put(t, second.Checkpoint()+"/c", "x")
	put(t, second.Out()+"/r", "x")
	if _, _, err := second.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func TestRemoveJob(t *testing.T) {
	s := open(t)
	f := made(t, s, 0, 1)
	put(t, f.Out()+"/r", "x")
	if _, _, err := f.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.RemoveJob("job"); err != nil {
		t.Fatal(err)
	}
	if jobs, _ := s.Jobs(); len(jobs) != 0 || exists(s.link(1)) {
		t.Errorf("jobs left = %v, link %v, want none, false", jobs, exists(s.link(1)))
	}
}

func TestTail(t *testing.T) {
	path := t.TempDir() + "/log"
	put(t, path, strings.Repeat("0123456789\n", 10))
	for n, want := range map[int64]string{5: "6789", 15: "0123456789", 1000: strings.TrimSpace(strings.Repeat("0123456789\n", 10))} {
		if got := Tail(path, n); got != want {
			t.Errorf("the last %d bytes: %q, want %q", n, got, want)
		}
	}
	if got := Tail(path+"x", 5); got != "" {
		t.Errorf("Tail(a missing file) = %q, want nothing", got)
	}
}

// A commit that panics takes the agent along, and again when the next agent
// adopts the attempt.
func TestAReplacedOutputFolder(t *testing.T) {
	for kind, replace := range map[string]func(path string) error{
		"symbolic link": func(path string) error { return os.Symlink("/etc", path) },
		"named pipe":    func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"a file":        func(path string) error { return os.WriteFile(path, nil, 0o600) },
	} {
		f := made(t, open(t), 0, 7)
		if err := errors.Join(os.RemoveAll(f.Out()), replace(f.Out())); err != nil {
			t.Fatal(err)
		}
		_, _, err := f.Commit(t.Context())
		if !errors.Is(err, ErrOutput) || !strings.Contains(err.Error(), kind) || !strings.Contains(err.Error(), "LULL_OUT") {
			t.Errorf("Commit(%s) = %v, want ErrOutput with its kind and LULL_OUT", kind, err)
		}
		if err := f.Clear(false); err != nil {
			t.Errorf("Clear(%s) = %v, want no error", kind, err)
		}
	}
	if _, err := os.Stat("/etc/passwd"); err != nil {
		t.Errorf("/etc/passwd after Clear: %v, want the link not followed", err)
	}
}

func TestAPathTooLongForTheSystem(t *testing.T) {
	f := made(t, open(t), 0, 7)
	t.Chdir(f.Out())
	for range 20 { // one by one: no call takes the whole path
		name := strings.Repeat("d", 250)
		if err := errors.Join(os.Mkdir(name, 0o755), syscall.Chdir(name)); err != nil {
			t.Fatal(err)
		}
	}
	_, _, err := f.Commit(t.Context())
	if !errors.Is(err, ErrOutput) || len(err.Error()) > 300 {
		t.Errorf("Commit() = %v, want ErrOutput with a short text", err)
	}
	if err := errors.Join(syscall.Chdir(f.Path), f.Clear(false)); err != nil || exists(f.Out()) {
		t.Errorf("Clear() = %v, want the output gone", err)
	}
}

// A task without a fence can put a pipe where its log is to be. A reader of the log does not
// wait until something is written to it.
func TestAPipeIsNoLog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "stderr")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := Tail(path, 10); got != "" {
		t.Errorf("Tail() = %q, want nothing", got)
	}
}

// slow hashes until its context ends.
type slow struct{ ctx context.Context }

func (s slow) Sum(*os.File, []manifest.Extent, func(int64)) (int64, []byte, error) {
	<-s.ctx.Done()
	return 0, nil, context.Cause(s.ctx)
}

func (slow) Close() error { return nil }

// The commit of an attempt that is no longer wanted does not hash a large file to the end.
func TestACommitEndsWhenItIsNotWanted(t *testing.T) {
	s := open(t)
	s.HashBy(func(ctx context.Context) (Hasher, error) { return slow{ctx}, nil })
	f := made(t, s, 0, 1)
	put(t, f.Out()+"/large", "x")
	if err := os.Truncate(f.Out()+"/large", hashedHere+1); err != nil {
		t.Fatal(err)
	}
	gone := errors.New("gone")
	ctx, stop := context.WithCancelCause(t.Context())
	commit := make(chan error, 1)
	go func() {
		_, _, err := f.Commit(ctx)
		commit <- err
	}()
	stop(gone)
	if err := <-commit; !errors.Is(err, gone) {
		t.Errorf("end of the commit = %v, want %v", err, gone)
	}
}

// others hashes as sum.Process does, and records its calls.
type others struct {
	asked  []string
	closed bool
	fails  error
}

func (o *others) Sum(f *os.File, _ []manifest.Extent, _ func(int64)) (int64, []byte, error) {
	o.asked = append(o.asked, filepath.Base(f.Name()))
	text, err := os.ReadFile(f.Name())
	sum := sha256.Sum256(text)
	return int64(len(text)), sum[:], errors.Join(o.fails, err)
}

func (o *others) Close() error {
	o.closed = true
	return nil
}

// The first few megabytes are hashed here, the rest by a helper process: the manifest is
// the same.
func TestOthersHashWhatIsLarge(t *testing.T) {
	s := open(t)
	f := made(t, s, 1, 7)
	put(t, f.Out()+"/a", "small")
	put(t, f.Out()+"/b", strings.Repeat("large", hashedHere/5))
	put(t, f.Out()+"/c", "small, but after much else")
	_, here, err := f.Commit(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var o others
	s.HashBy(func(context.Context) (Hasher, error) { return &o, nil })
	_, there, err := f.Commit(t.Context())
	if err != nil || there != here {
		t.Errorf("Commit() = %x, %v, want %x as hashed here", there, err, here)
	}
	if !slices.Equal(o.asked, []string{"b", "c"}) || !o.closed {
		t.Errorf("asked %q (closed: %v), want b and c", o.asked, o.closed)
	}
	s.HashBy(func(context.Context) (Hasher, error) { return nil, errors.New("nobody") })
	if _, again, err := f.Commit(t.Context()); err != nil || again != here {
		t.Errorf("without a hasher: %x, %v; want %x", again, err, here)
	}
	killed := others{fails: errors.New("killed")}
	s.HashBy(func(context.Context) (Hasher, error) { return &killed, nil })
	if _, again, err := f.Commit(t.Context()); err != nil || again != here || len(killed.asked) != 1 || !killed.closed {
		t.Errorf("with one who was killed: %x, %v; want %x, and nothing more asked of it than %q", again, err, here, killed.asked)
	}
}

// A file that has another name outside is not the task's alone.
func TestWhatIsLinkedIntoAnOutputStaysAsItIs(t *testing.T) {
	s := open(t)
	f := made(t, s, 1, 7)
	host := filepath.Join(t.TempDir(), "host")
	put(t, host, "of the host")
	if err := os.Link(host, f.Out()+"/mine"); err != nil {
		t.Fatal(err)
	}
	m, _, err := f.Commit(t.Context())
	if err != nil || len(m.Files) != 1 || m.Files[0].Size != int64(len("of the host")) {
		t.Fatalf("Commit() = %+v, %v, want the host's file copied", m, err)
	}
	info, err := os.Stat(host)
	if err != nil || info.Mode().Perm() != 0o644 {
		t.Errorf("mode of the host's file = %v (%v), want 644 as before", info.Mode(), err)
	}
	put(t, host, "changed")
	if text, err := os.ReadFile(f.Out() + "/mine"); err != nil || string(text) != "of the host" {
		t.Errorf("output = %q (%v), want what the host's file held", text, err)
	}
	if exists(f.Path + "/alone") {
		t.Errorf("%s/alone is left, want the copy removed", f.Path)
	}
}
