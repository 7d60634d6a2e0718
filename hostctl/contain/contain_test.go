package contain

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
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
			t.Errorf("%q was taken for %+v", bad, got)
		}
	}
}

func TestRightsFollowTheKernel(t *testing.T) {
	for _, c := range []struct {
		abi     int
		without uint64
	}{
		{1, unix.LANDLOCK_ACCESS_FS_REFER | unix.LANDLOCK_ACCESS_FS_TRUNCATE | unix.LANDLOCK_ACCESS_FS_IOCTL_DEV},
		{2, unix.LANDLOCK_ACCESS_FS_TRUNCATE | unix.LANDLOCK_ACCESS_FS_IOCTL_DEV},
		{4, unix.LANDLOCK_ACCESS_FS_IOCTL_DEV},
		{7, 0},
	} {
		if got, want := writes(c.abi), uint64(onFiles|onFolders)&^c.without; got != want {
			t.Errorf("ABI %d: %x, want %x", c.abi, got, want)
		}
	}
	if on := writes(99); on&(unix.LANDLOCK_ACCESS_FS_READ_FILE|unix.LANDLOCK_ACCESS_FS_READ_DIR|unix.LANDLOCK_ACCESS_FS_EXECUTE) != 0 {
		t.Errorf("reading is fenced: %x", on)
	}
}

// An older kernel's fence can be made on a newer kernel.
func TestFencesOfOlderKernels(t *testing.T) {
	dir := t.TempDir()
	for abi := 1; abi <= ABI(); abi++ {
		fd, err := Fence(abi, []string{dir, "/dev/zero"})
		if err != nil {
			t.Errorf("ABI %d: %v", abi, err)
			continue
		}
		_ = unix.Close(fd)
	}
}

func TestChoose(t *testing.T) {
	dir := t.TempDir() // of ours alone
	link := filepath.Join(dir, "link")
	if err := os.Symlink("/dev", link); err != nil {
		t.Fatal(err)
	}
	p, err := Choose("", "", []string{link}, dir)
	if err != nil || p.Mode != Full || !p.User.Same() || p.Why == "" || !slices.Equal(p.Write, []string{"/dev"}) {
		t.Errorf("%+v, %v", p, err)
	}
	if os.Geteuid() == 0 {
		if p, err := Choose("full", "", nil, "/"); err != nil || p.User != Nobody {
			t.Errorf("where all may enter: %+v, %v", p, err)
		}
	}
	for _, bad := range []struct{ mode, user, write string }{
		{"most", "", "/"}, {"full", "no-such-user", "/"}, {"full", "", "relative"}, {"full", "", "/no/such/path"}, {"full", "64999", "/"},
	} {
		if _, err := Choose(bad.mode, bad.user, []string{bad.write}, dir); err == nil {
			t.Errorf("%+v was taken", bad)
		}
	}
}

func TestLinesSayWhatIsLost(t *testing.T) {
	for _, c := range []struct {
		policy  Policy
		present string // one letter a line
		says    string
	}{
		{Policy{Mode: Full, ABI: 7, User: Nobody, Write: []string{"/scratch"}}, "yyyy", "only, and /scratch"},
		{Policy{Mode: Full, ABI: 4, User: Nobody}, "ynyy", "Linux 6.12"},
		{Policy{Mode: Full, Why: "the agent is not root"}, "nnny", "Landlock: not in this kernel: tasks can write wherever their user may"},
		{Policy{Mode: Basic, ABI: 7, Why: "contain=basic"}, "nnny", "off by contain=basic"},
		{Policy{Mode: Off, ABI: 7, Why: "contain=off"}, "nnnn", "setuid"},
	} {
		var present, text strings.Builder
		for _, l := range c.policy.Lines() {
			present.WriteString(map[bool]string{true: "y", false: "n"}[l.Present])
			text.WriteString(l.Text + "\n")
		}
		if present.String() != c.present || !strings.Contains(text.String(), c.says) {
			t.Errorf("%+v: %s\n%s", c.policy, present.String(), text.String())
		}
	}
}

// Root's supplementary groups give no access while root acts for another user, and are
// restored afterwards.
func TestRootsGroupsAreNotTheTaskUsers(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root")
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
		if err := Nobody.As(func() error { return May(path, unix.R_OK) }); !errors.Is(err, unix.EACCES) {
			t.Errorf("reading what is root's group's: %v", err)
		}
		if now, err := unix.Getgroups(); err != nil || !slices.Equal(now, []int{4242, 4243}) {
			t.Errorf("groups afterwards: %v, %v", now, err)
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
		got, ok := other.Writes(dir + path)
		if ok != (obstacle == "") || !ok && got != dir+obstacle {
			t.Errorf("%s: %q, %v; want %q", path, got, ok, obstacle)
		}
		if _, ok := (User{}).Writes(dir + path); !ok {
			t.Errorf("%s: root may not write", path)
		}
	}
}
