package account

import (
	"os"
	"path/filepath"
	"runtime"
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
		obstacle, ok = User{UID: nobody, GID: nobody}.Writes(filepath.Join(closed, "results", "deep"))
	}()
	<-done
	if ok || obstacle != closed {
		t.Errorf("Writes() = %q, %v, want %s as the obstacle", obstacle, ok, closed)
	}
}
