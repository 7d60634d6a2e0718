package shim

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"lull/actors/account"
	"lull/subjects"
	"lull/subjects/spec"
)

// secretive is a task that may not read the slot's folder, in which its own folder is and a file with a secret.
func secretive(t *testing.T, cfg Config, attempt uint64, user account.User, script string) (task Task, secret string) {
	t.Helper()
	task = bounded(t, cfg, attempt, user, script)
	task.Bounds.Hide = []string{cfg.Dir}
	secret = filepath.Join(cfg.Dir, "secret")
	if err := os.WriteFile(secret, []byte("secret\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return task, secret
}

// A task reads nothing in a folder that is hidden from it, by no path, except in its own folders. All else it reads.
func TestHiddenFilesAreNotRead(t *testing.T) {
	needsLandlock(t, 1)
	eachUser(t, testHidden)
}

func testHidden(t *testing.T, user account.User) {
	cfg := testConfig(t)
	c := launch(t, cfg)
	beside := cfg.Dir + "-beside"
	if err := os.MkdirAll(beside, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(beside) })
	if err := os.WriteFile(beside+"/file", []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	task, secret := secretive(t, cfg, 1, user, `
try() { name=$1; shift; if "$@" > /dev/null 2>&1; then echo "$name works"; else echo "$name fails"; fi; }
echo x > own; try own cat own
try beside cat `+beside+`/file
try system cat /etc/passwd
try proc cat /proc/self/status
try list ls ..
try secret cat ../secret
try root cat /proc/self/root$PWD/../secret
try parent cat /proc/$PPID/root$PWD/../secret
ln -s ../secret link; try link cat link
ln ../secret hard 2> /dev/null; try "hard link" cat hard
try moved mv ../secret mine
`)
	want := "own works\nbeside works\nsystem works\nproc works\nlist works\nsecret fails\nroot fails\nparent fails\nlink fails\nhard link fails\nmoved fails\n"
	if user != (account.User{}) { // who may pass through the slot's folder, but not list it
		want = strings.Replace(want, "list works", "list fails", 1)
	}
	if got := tell(t, cfg, c, task); got != want {
		t.Errorf("the task could\n%s\nwant\n%s", got, want)
	}
	// What appears beside it later is read by the next task.
	if err := os.WriteFile(beside+"/later", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	fresh := cfg.Dir + "-fresh"
	if err := os.WriteFile(fresh, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Remove(fresh) })
	task, _ = secretive(t, cfg, 2, user, `cat `+beside+`/later `+fresh+`; cat `+secret+` 2> /dev/null; exit 0`)
	if got := tell(t, cfg, c, task); got != "x" {
		t.Errorf("the next task read %q, want x alone", got)
	}
	if _, err := os.Stat(secret); err != nil {
		t.Errorf("the secret: %v, want it there", err)
	}
}

// A bind mount is one more path to what is hidden, also if it comes after the shim.
func TestHiddenFilesAreNotReadThroughMounts(t *testing.T) {
	needsRoot(t)
	needsLandlock(t, 1)
	cfg := testConfig(t)
	c := launch(t, cfg)
	task, _ := secretive(t, cfg, 1, account.User{}, `echo end`)
	tell(t, cfg, c, task)
	for i, from := range []string{cfg.Dir, cfg.Dir + "/below"} {
		at := fmt.Sprintf("%s-mount%d", cfg.Dir, i)
		for _, dir := range []string{at, cfg.Dir + "/below"} {
			if err := os.MkdirAll(dir, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(cfg.Dir+"/below/secret", []byte("secret\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Remove(at) })
		if err := unix.Mount(from, at, "", unix.MS_BIND, ""); err != nil {
			t.Skipf("needs to mount: %v", err)
		}
		t.Cleanup(func() { _ = unix.Unmount(at, unix.MNT_DETACH) })
		task, _ := secretive(t, cfg, uint64(i+2), account.User{}, `cat `+at+`/secret; echo end`)
		if got := tell(t, cfg, c, task); got != "end\n" {
			t.Errorf("a task read %q through a mount of %s, want end alone", got, from)
		}
	}
}

// A document may name any file as input: the shim, which feeds it, must read no more than the task may.
func TestHiddenFilesAreNoInput(t *testing.T) {
	needsLandlock(t, 1)
	cfg := testConfig(t)
	c := launch(t, cfg)
	for i, in := range []Stdin{{File: "secret"}, {Ranges: []spec.Range{{Size: 7, Length: 7}}}, {Ranges: []spec.Range{{Size: 7, Length: 3}}}} {
		task, secret := secretive(t, cfg, uint64(i+1), account.User{}, `exec cat`)
		task.Stdin = in
		if in.File != "" {
			task.Stdin.File = secret
		} else {
			task.Stdin.Ranges[0].Path = secret
		}
		if err := c.Start(task); err != nil {
			t.Fatal(err)
		}
		if e := next[*StartFailed](t, c); e.Reason != subjects.ReasonInput {
			t.Errorf("%+v: StartFailed = %+v, want it for the input", in, e)
		}
	}
	task, _ := secretive(t, cfg, 9, account.User{}, `exec cat`)
	own := task.Dir + "/own"
	if err := os.WriteFile(own, []byte("mine\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	task.Stdin.File = own
	if got := tell(t, cfg, c, task); got != "mine\n" {
		t.Errorf("a task read %q of its own folder, want mine", got)
	}
}

// callShim in the environment makes the test binary connect to the shim whose socket it names, and print
// whether that greets it.
const callShim = "LULL_TEST_CALL"

func call(socket string) {
	conn, err := net.Dial("unix", socket)
	if err == nil {
		_ = conn.SetReadDeadline(time.Now().Add(patience))
		_, err = conn.Read(make([]byte, 1))
	}
	fmt.Println("greeted:", err == nil)
}

// A task that runs as the agent's user may connect to the sockets of shims. None takes orders from it.
func TestShimsTakeNoOrdersFromTasks(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cfg, neighbour := testConfig(t), testConfig(t)
	c, other := launch(t, cfg), launch(t, neighbour)
	for i, dir := range []string{cfg.Dir, neighbour.Dir} {
		task := bounded(t, cfg, uint64(i+1), account.User{}, `setsid -w `+self)
		task.Env = append(task.Env, callShim+"="+socketPath(dir))
		if got := tell(t, cfg, c, task); got != "greeted: false\n" {
			t.Errorf("a task at the shim in %s: %q, want it not greeted", dir, got)
		}
	}
	if e := run(t, other, shell(neighbour, 1, `exit 0`)); e.Status != 0 { // its agent is still connected
		t.Errorf("end = %+v, want status 0", e)
	}
}
