package account

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"golang.org/x/sys/unix"
)

func TestFindUser(t *testing.T) {
	for _, c := range []struct {
		text string
		want User
	}{
		{"root", User{}}, {"0", User{}}, {"64999", User{64999, 64999}}, {"64999:7", User{64999, 7}},
	} {
		if got, err := FindUser(c.text); err != nil || got != c.want {
			t.Errorf("%q: %+v, %v; want %+v", c.text, got, err, c.want)
		}
	}
	for _, bad := range []string{"", "no-such-user", "-1", "4294967295", "1:x", "1:4294967295", "99999999999"} {
		if got, err := FindUser(bad); err == nil {
			t.Errorf("FindUser(%q) = %+v, want an error", bad, got)
		}
	}
}

// Root's supplementary groups give no access while root acts for another user, and are
// restored afterwards.
func TestRootsGroupsAreNotTheTaskUsers(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root, to change groups")
	}
	dir, err := os.MkdirTemp("", "lull-groups-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	path := filepath.Join(dir, "file")
	if err := errors.Join(os.WriteFile(path, nil, 0o040), os.Chown(path, 0, 4242), os.Chmod(dir, 0o755)); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // and never unlock
		if err := setgroups([]int{4242, 4243}); err != nil {
			t.Error(err)
		}
		if err := Nobody.As(func() error { return CheckAccess(path, unix.R_OK) }); !errors.Is(err, unix.EACCES) {
			t.Errorf("CheckAccess(read what is root's group's) = %v, want EACCES", err)
		}
		if now, err := unix.Getgroups(); err != nil || !slices.Equal(now, []int{4242, 4243}) {
			t.Errorf("groups afterwards = %v, %v, want [4242 4243]", now, err)
		}
	}()
	<-done
}

func TestWhereAUserCouldWrite(t *testing.T) {
	dir := t.TempDir()
	for path, mode := range map[string]os.FileMode{"/open": 0o777, "/ours": 0o755, "/ours/open": 0o777, "/closed": 0o700, "/closed/open": 0o777} {
		if err := errors.Join(os.MkdirAll(dir+path, 0o755), os.Chmod(dir+path, mode)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(filepath.Dir(dir), 0o755); err != nil { // the test's own
		t.Fatal(err)
	}
	other := User{64321, 64321}
	for path, obstacle := range map[string]string{
		"/open": "", "/open/new/er": "", "/ours": "/ours", "/ours/new": "/ours", "/ours/open": "", "/ours/open/new": "", "/closed/open": "/closed",
	} {
		got, ok := other.CanWrite(dir + path)
		if ok != (obstacle == "") || !ok && got != dir+obstacle {
			t.Errorf("%s: %q, %v; want %q", path, got, ok, obstacle)
		}
		if _, ok := (User{}).CanWrite(dir + path); !ok {
			t.Errorf("root.CanWrite(%s) = false, want true", path)
		}
	}
}
