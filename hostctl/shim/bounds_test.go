package shim

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"lull/actors/account"
	"lull/hostctl/contain"
	"lull/subjects"
	"lull/subjects/spec"
)

// bounded is a task that may write to one folder of its own, below the slot's,
// which also is its working folder.
func bounded(t *testing.T, cfg Config, attempt uint64, user account.User, script string) Task {
	t.Helper()
	own := filepath.Join(cfg.Dir, "own")
	if err := os.MkdirAll(own, 0o755); err != nil {
		t.Fatal(err)
	}
	task := shell(cfg, attempt, script)
	task.Dir, task.Bounds = own, Bounds{Write: []string{own}, User: user}
	if user.IsAgent() {
		return task
	}
	for _, chmod := range []error{os.Chmod(cfg.Dir, 0o711), os.Chown(own, int(user.UID), int(user.GID))} {
		if chmod != nil {
			t.Fatal(chmod)
		}
	}
	return task
}

func needsLandlock(t *testing.T, abi int) {
	t.Helper()
	if have := contain.ABI(); have < abi {
		t.Skipf("needs Landlock of ABI %d, this kernel has %d", abi, have)
	}
}

func needsRoot(t *testing.T) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs root, to run tasks as another user")
	}
}

// eachUser runs a test with tasks of the test's own user, which only the fence restricts. If that
// user is root, it also runs it with tasks of nobody.
func eachUser(t *testing.T, f func(*testing.T, account.User)) {
	t.Run("same", func(t *testing.T) { f(t, account.User{}) })
	t.Run("nobody", func(t *testing.T) {
		needsRoot(t)
		f(t, account.Nobody)
	})
}

// tell runs a task and returns its output.
func tell(t *testing.T, cfg Config, c *Client, task Task) string {
	t.Helper()
	_ = os.Remove(task.Stdout)
	if e := run(t, c, task); e.Status != 0 {
		t.Errorf("end = %+v: %s, want status 0", e, read(t, cfg.Dir, "stderr"))
	}
	return read(t, task.Stdout)
}

func TestTaskWritesToItsOwnFoldersOnly(t *testing.T) {
	needsLandlock(t, 3)
	eachUser(t, testFence)
}

func testFence(t *testing.T, user account.User) {
	cfg := testConfig(t)
	c := launch(t, cfg)
	outside := filepath.Join(cfg.Dir, "outside")
	if err := os.WriteFile(outside, []byte("whole"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(outside, 0o666); err != nil { // only the fence protects it
		t.Fatal(err)
	}
	task := bounded(t, cfg, 1, user, `
try() { name=$1; shift; if "$@" 2>/dev/null; then echo "$name works"; else echo "$name fails"; fi; }
into() { echo x > "$1"; }
try inside into file
try moved mv file other
mkdir d && try "moved deeper" mv other d/third
try null into /dev/null
try stdout into /dev/stdout
try reading cat ../outside
try outside into ../outside
try beside into ../new
try temporary into /tmp/lull-fence-$$
ln -s ../outside link; try symlink into link
try magic into /proc/self/root$PWD/../outside
try "open folder" into /proc/self/cwd/../outside
try "hard link" ln ../outside hard
try truncate truncate -s 0 ../outside
try remove rm -f ../outside
try replace mv d/third ../outside
try folder mkdir ../folder
try "kernel setting" into /proc/sys/kernel/core_pattern
`)
	got := tell(t, cfg, c, task)
	want := `inside works
moved works
moved deeper works
null works
x
stdout works
wholereading works
outside fails
beside fails
temporary fails
symlink fails
magic fails
open folder fails
hard link fails
truncate fails
remove fails
replace fails
folder fails
kernel setting fails
`
	if got != want {
		t.Errorf("the task could\n%s\nwant\n%s", got, want)
	}
	if text := read(t, outside); text != "whole" {
		t.Errorf("file outside = %q, want whole", text)
	}
}

// The fence of one task is not the next one's.
func TestFencesDoNotPileUp(t *testing.T) {
	cfg := testConfig(t)
	c := launch(t, cfg)
	for attempt := range uint64(40) { // the kernel stacks 16
		task := bounded(t, cfg, attempt+1, account.User{}, `echo x > n`)
		task.Dir = filepath.Join(cfg.Dir, "own", strconv.FormatUint(attempt, 10))
		task.Bounds.Write = []string{task.Dir}
		if err := os.Mkdir(task.Dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if e := run(t, c, task); e.Status != 0 {
			t.Fatalf("end of task %d = %+v, want status 0", attempt, e)
		}
	}
}

func TestMissingFolderIsTheHostsFault(t *testing.T) {
	needsLandlock(t, 1)
	cfg := testConfig(t)
	c := launch(t, cfg)
	if err := c.Start(Task{Attempt: 1, Argv: []string{"true"}, Bounds: Bounds{Write: []string{"/no/folder"}}}); err != nil {
		t.Fatal(err)
	}
	if e := next[*StartFailed](t, c); e.Reason != subjects.ReasonSlot || !strings.Contains(e.Text, "/no/folder") {
		t.Errorf("StartFailed = %+v, want it for the slot, with /no/folder", e)
	}
}

func TestTaskGainsNoRights(t *testing.T) {
	needsRoot(t)
	cfg := testConfig(t)
	c := launch(t, cfg)
	id := filepath.Join(cfg.Dir, "id")
	program, err := os.ReadFile("/usr/bin/id")
	if err != nil {
		t.Skipf("needs a program to make setuid: %v", err)
	}
	if err := os.WriteFile(id, program, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(id, 0o755|os.ModeSetuid); err != nil {
		t.Fatal(err)
	}
	task := bounded(t, cfg, 1, account.Nobody, `../id -u; grep -E "^(CapEff|NoNewPrivs)" /proc/self/status; id -G`)
	if got, want := tell(t, cfg, c, task), "65534\nCapEff:\t0000000000000000\nNoNewPrivs:\t1\n65534\n"; got != want {
		t.Errorf("a task has\n%s\nwant\n%s", got, want)
	}
	task.Attempt, task.Bounds.Unfenced, task.Bounds.Privileged = 2, true, true
	if got := tell(t, cfg, c, task); !strings.HasPrefix(got, "0\n") {
		t.Errorf("setuid with containment off =\n%s\nwant 0", got)
	}
}

func TestTaskSignalsOnlyItsOwn(t *testing.T) {
	needsLandlock(t, 6)
	eachUser(t, func(t *testing.T, user account.User) {
		cfg, neighbour := testConfig(t), testConfig(t)
		c, other := launch(t, cfg), launch(t, neighbour)
		if err := other.Start(bounded(t, neighbour, 1, user, `exec sleep 1000`)); err != nil {
			t.Fatal(err)
		}
		victim := next[*Started](t, other).PID
		task := bounded(t, cfg, 1, user, fmt.Sprintf(`
for pid in %d %d %d; do kill -0 $pid 2>/dev/null && echo reached $pid; done
sleep 1000 & kill $! && echo own`, os.Getpid(), c.PID(), victim))
		if got := tell(t, cfg, c, task); got != "own\n" {
			t.Errorf("processes that could be signalled = %q, want own", got)
		}
	})
}

// A task that runs as the agent's user may open the shim's socket.
func TestTaskCannotOrder(t *testing.T) {
	python, err := os.Stat("/usr/bin/python3")
	if err != nil || python.IsDir() {
		t.Skip("needs python3, to connect")
	}
	cfg := testConfig(t)
	c := launch(t, cfg)
	task := bounded(t, cfg, 1, account.User{}, `python3 -c '
import socket
s = socket.socket(socket.AF_UNIX); s.connect("../shim.sock"); print(len(s.recv(100)))'`)
	if got := tell(t, cfg, c, task); got != "0\n" {
		t.Errorf("bytes from the shim's socket = %q, want 0", got)
	}
}

func TestInputMustBeTheTasksToRead(t *testing.T) {
	needsRoot(t)
	cfg := testConfig(t)
	c := launch(t, cfg)
	secret := filepath.Join(cfg.Dir, "secret")
	if err := os.WriteFile(secret, []byte("one\ntwo\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	half := []spec.Range{{Path: secret, Size: 8, Length: 4}, {Path: secret, Size: 8, Offset: 4, Length: 4}}
	for i, in := range []Stdin{{File: secret}, {Ranges: half}} {
		task := bounded(t, cfg, uint64(i+1), account.Nobody, `cat`)
		task.Stdin = in
		if err := c.Start(task); err != nil {
			t.Fatal(err)
		}
		if e := next[*StartFailed](t, c); e.Reason != subjects.ReasonInput || !strings.Contains(e.Text, "chmod o+r") {
			t.Errorf("StartFailed = %+v, want it for the input with advice", e)
		}
	}
	if err := os.Chmod(secret, 0o644); err != nil {
		t.Fatal(err)
	}
	task := bounded(t, cfg, 9, account.Nobody, `cat /dev/stdin`)
	task.Stdin.Ranges = half
	if got := tell(t, cfg, c, task); got != "one\ntwo\n" {
		t.Errorf("stdin = %q, want one and two", got)
	}
}

// What hostile tasks do ends with them, and leaves the slot as it was.
func TestHostileTasks(t *testing.T) {
	eachUser(t, func(t *testing.T, user account.User) {
		cfg := testConfig(t)
		cfg.Slot = testSlot(t, testTree(t), 0)
		c := launch(t, cfg)
		if err := cfg.Slot.Limit(64<<20, 12); err != nil {
			t.Fatal(err)
		}
		for i, hostile := range []struct{ name, script string }{
			{"fork bomb", `b() { b | b & }; b; sleep 1000`},
			{"bomb of daemons", `while :; do setsid sleep 1000 & done 2>/dev/null`},
			{"signal ignorer", `trap "" TERM INT HUP; while :; do sleep 1000; done`},
			{"disk filler", `while :; do head -c 1000000 /dev/zero > fill-$((n = (n + 1) % 20)); head -c 1000000 /dev/zero > ../fill; done`},
		} {
			task := bounded(t, cfg, uint64(i+1), user, hostile.script)
			task.Timeout, task.Grace = 100*time.Millisecond, 10*time.Millisecond
			e := run(t, c, task)
			if e.Reason == "" {
				t.Errorf("end of %s = %+v, want a reason", hostile.name, e)
			}
			if pids, err := cfg.Slot.Pids(); err != nil || len(pids) > 1 || len(pids) == 1 && pids[0] != c.PID() {
				t.Errorf("processes left by %s = %v, %v, want the shim at most", hostile.name, pids, err)
			}
		}
		if _, err := os.Stat(filepath.Join(cfg.Dir, "fill")); err == nil && contain.ABI() > 0 {
			t.Error("the disk filler wrote outside of its folder, want it fenced")
		}
		if got := tell(t, cfg, c, bounded(t, cfg, 99, user, `echo well`)); got != "well\n" {
			t.Errorf("next task = %q, want well", got)
		}
	})
}

func TestFdHogIsBounded(t *testing.T) {
	cfg := testConfig(t)
	c := launch(t, cfg)
	task := bounded(t, cfg, 1, account.User{}, `ulimit -Hn; ulimit -n; ulimit -n 1000000 2>/dev/null && echo raised; true`)
	var own unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &own); err != nil {
		t.Fatal(err)
	}
	hard := min(hardFiles, own.Max)
	got := tell(t, cfg, c, task)
	if want := fmt.Sprintf("%d\n%d\n", hard, min(softFiles, hard)); !strings.HasPrefix(got, want) {
		t.Errorf("limits of open files = %q, want %q", got, want)
	}
}

// Without a cgroup that counts them, a task's user has so many processes.
func TestProcessesAreBoundedWithoutCgroup(t *testing.T) {
	needsRoot(t)
	cfg := testConfig(t)
	cfg.Processes = 30
	c := launch(t, cfg)
	user := account.User{UID: 64999, GID: 64999} // of which nothing else runs
	task := bounded(t, cfg, 1, user, `i=0; while [ $i -lt 60 ]; do sleep 1000 & i=$((i+1)); done; echo all`)
	if e := run(t, c, task); e.Status == 0 {
		t.Errorf("end of 60 processes within 30 = %+v, want a failure", e)
	}
}
