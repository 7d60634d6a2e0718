package account

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// A submitter that may not enter a folder cannot see what lies below, and the folder hides it from the
// tasks' user, too. Without that the submission of an unprivileged user was admitted, and its job ran in vain.
func TestAFolderThatTheCallerMayNotEnter(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root, to look as another user")
	}
	dir := t.TempDir()
	for path := dir; path != "/tmp" && path != "/"; path = filepath.Dir(path) {
		_ = os.Chmod(path, 0o755) // of the system, such as /tmp's parent, when it is not ours
	}
	closed := filepath.Join(dir, "closed")
	if err := os.MkdirAll(filepath.Join(closed, "results"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(closed, 0o700); err != nil {
		t.Fatal(err)
	}
	const nobody = 65534
	var obstacle string
	var ok bool
	done := make(chan struct{})
	go func() { // its thread ends with it
		defer close(done)
		runtime.LockOSThread()
		if _, err := unix.SetfsuidRetUid(nobody); err != nil {
			t.Error(err)
		}
		obstacle, ok = User{UID: nobody, GID: nobody}.CanWrite(filepath.Join(closed, "results", "deep"))
	}()
	<-done
	if ok || obstacle != closed {
		t.Errorf("CanWrite() = %q, %v, want %s as the obstacle", obstacle, ok, closed)
	}
}

// A folder is often shared by a group that is not its users' first one.
func TestAUserWritesWithAllItsGroups(t *testing.T) {
	const shared = "LULL_SHARED_FOLDER"
	if folder := os.Getenv(shared); folder != "" { // as the user
		if obstacle, ok := (User{64321, 64321}).CanWrite(folder + "/new"); !ok {
			t.Errorf("CanWrite(a folder of its second group) = %q, false, want true", obstacle)
		}
		if obstacle, ok := (User{64321, 64321}).CanWrite(filepath.Dir(folder) + "/new"); ok {
			t.Errorf("CanWrite(root's folder) = %q, true, want false", obstacle)
		}
		return
	}
	if os.Geteuid() != 0 {
		t.Skip("needs root, to start a process with two groups")
	}
	dir := t.TempDir()
	folder := filepath.Join(dir, "shared")
	if err := errors.Join(os.Mkdir(folder, 0o700), os.Chown(folder, 0, 64322), os.Chmod(folder, 0o770), os.Chmod(filepath.Dir(dir), 0o755)); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("/proc/self/exe", "-test.run", "^"+t.Name()+"$")
	cmd.Dir, cmd.Env = "/", append(os.Environ(), shared+"="+folder)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 64321, Gid: 64321, Groups: []uint32{64322}}}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
