package shim

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"lull/actors/account"
	"lull/hostctl/cgroup"
	"lull/subjects/spec"
)

// needsMounts skips a test where tasks have no /dev/shm of their own.
func needsMounts(t *testing.T) {
	t.Helper()
	if m := noShm(); !m.open(&Task{}) {
		t.Skip("needs root, and the right to make mount namespaces")
	} else {
		m.close()
	}
}

// What a task puts into /dev/shm is seen by its processes alone, and ends with it.
func TestATaskHasItsOwnSharedMemory(t *testing.T) {
	needsMounts(t)
	eachUser(t, func(t *testing.T, user account.User) {
		cfg := testConfig(t)
		c := launch(t, cfg)
		name := fmt.Sprintf("lull-test-%d-%d", os.Getpid(), user.UID)
		hosts := filepath.Join(sharedFolder, name+"-host")
		if err := os.WriteFile(hosts, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		defer os.Remove(hosts) //nolint:errcheck // may be gone
		script := fmt.Sprintf(`ls -A /dev/shm; echo x >/dev/shm/%[1]s && ln /dev/shm/%[1]s /dev/shm/%[1]s-2 && sh -c 'cat /dev/shm/%[1]s-2'`, name)
		for attempt := range uint64(3) {
			if got := tell(t, cfg, c, bounded(t, cfg, attempt+1, user, script)); got != "x\n" {
				t.Errorf("task %d said %q, want x alone: an empty /dev/shm, to write to", attempt+1, got)
			}
			if got := tell(t, cfg, c, bounded(t, cfg, attempt+11, user, `ls -A /dev/shm; echo end`)); got != "end\n" {
				t.Errorf("files in the next task's /dev/shm = %q, want none", got)
			}
		}
		if left, _ := filepath.Glob(filepath.Join(sharedFolder, name+"*")); len(left) != 1 {
			t.Errorf("files on the host = %q, want the host's own", left)
		}
	})
}

// A folder that --task-write names is the host's, and so are a task's own folder and its input.
func TestSharedMemoryOfTheHostIfTheTaskUsesIt(t *testing.T) {
	for folder, want := range map[string]bool{
		"/dev/shm": true, "/dev/shm/x": true, "/dev": true, "/": true, "/dev/shmem": false, "/tmp": false, "/dev/null": false,
	} {
		if got := (&Task{Bounds: Bounds{Write: []string{"/x", folder}}}).usesShared(); got != want {
			t.Errorf("usesShared() of a task that may write to %s = %v, want %v", folder, got, want)
		}
	}
	for _, task := range []Task{{Dir: "/dev/shm/x"}, {Stdin: Stdin{File: "/dev/shm/x"}}, {Stdin: Stdin{Ranges: []spec.Range{{Path: "/x"}, {Path: "/dev/shm/x"}}}}} {
		if !task.usesShared() {
			t.Errorf("usesShared() of %+v = false, want true", task)
		}
	}
	if (&Task{Dir: "/", Stdin: Stdin{Ranges: []spec.Range{{Path: "/dev/x"}}}}).usesShared() {
		t.Error("usesShared() of a task in / = true, want false")
	}
	needsMounts(t)
	cfg := testConfig(t)
	c := launch(t, cfg)
	name := filepath.Join(sharedFolder, fmt.Sprint("lull-test-shared-", os.Getpid()))
	defer os.Remove(name) //nolint:errcheck // may not have been made
	task := bounded(t, cfg, 1, account.User{}, `echo x >`+name)
	task.Bounds.Write = append(task.Bounds.Write, sharedFolder)
	if e := run(t, c, task); e.Status != 0 {
		t.Errorf("end = %+v, want status 0", e)
	}
	if _, err := os.Stat(name); err != nil {
		t.Errorf("a task that may write to the host's /dev/shm did not: %v", err)
	}
}

// Tasks see what was mounted on the host after the slot's first task.
func TestTasksSeeLaterMounts(t *testing.T) {
	needsMounts(t)
	cfg := testConfig(t)
	c := launch(t, cfg)
	point := t.TempDir()
	look := fmt.Sprintf("ls -A %s; echo end", point)
	if got := tell(t, cfg, c, bounded(t, cfg, 1, account.User{}, look)); got != "end\n" {
		t.Fatalf("files before the mount = %q, want none", got)
	}
	if err := unix.Mount("tmpfs", point, "tmpfs", 0, ""); err != nil {
		t.Skipf("needs the right to mount: %v", err)
	}
	defer unix.Unmount(point, unix.MNT_DETACH) //nolint:errcheck // the test's end
	if err := os.WriteFile(filepath.Join(point, "file"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if got := tell(t, cfg, c, bounded(t, cfg, 2, account.User{}, look)); got != "file\nend\n" {
		t.Errorf("files after the mount = %q, want file", got)
	}
}

// Python's multiprocessing makes POSIX semaphores for its queues, locks and pools.
func TestMultiprocessing(t *testing.T) {
	found, err := exec.Command("python3", "-c", "import sys; print(sys.executable)").Output()
	if err != nil {
		t.Skip("needs python3")
	}
	python := strings.TrimSpace(string(found))
	needsMounts(t)
	eachUser(t, func(t *testing.T, user account.User) {
		if user.As(func() error { return account.CheckAccess(python, unix.X_OK) }) != nil {
			t.Skipf("needs python3 where %v finds it: %s", user, python)
		}
		cfg := testConfig(t)
		c := launch(t, cfg)
		task := bounded(t, cfg, 1, user, python+` -c '
import multiprocessing as m
from multiprocessing import shared_memory
def put(q, lock):
    with lock: q.put(7)
if __name__ == "__main__":
    m.set_start_method("fork")
    q, lock = m.Queue(), m.Lock()
    p = m.Process(target=put, args=(q, lock)); p.start(); got = q.get(); p.join()
    with m.Pool(2) as pool: got += sum(pool.map(abs, [-1, -2]))
    s = shared_memory.SharedMemory(create=True, size=4096); s.buf[0] = 1; got += s.buf[0]; s.close(); s.unlink()
    print(got)'`)
		task.Env = append(task.Env, "TMPDIR="+task.Dir)
		if got := tell(t, cfg, c, task); got != "11\n" {
			t.Errorf("multiprocessing gave %q, want 11", got)
		}
	})
}

// The process itself stays where it is.
func TestTheShimKeepsItsMounts(t *testing.T) {
	needsMounts(t)
	space := func() string { at, _ := os.Readlink("/proc/self/ns/mnt"); return at }
	m, before := noShm(), space()
	defer m.close()
	if !m.open(&Task{}) {
		t.Fatal("open() = false, want a namespace")
	}
	var inside string
	if err := cgroup.OnThread(func() (err error) {
		m.enter()
		inside, err = os.Readlink("/proc/thread-self/ns/mnt")
		return err
	}); err != nil || inside == before || space() != before {
		t.Errorf("namespaces = %s in the thread (%v), %s in the process; want a new one and %s", inside, err, space(), before)
	}
}
