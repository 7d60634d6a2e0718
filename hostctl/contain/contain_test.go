package contain

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lull/actors/account"

	"golang.org/x/sys/unix"
)

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
		t.Errorf("writes(99) = %x, want no right to read in it", on)
	}
}

// An older kernel's fence can be made on a newer kernel.
func TestFencesOfOlderKernels(t *testing.T) {
	dir := t.TempDir()
	for abi := 1; abi <= ABI(); abi++ {
		fd, err := Fence(abi, Access{Write: []string{dir, "/dev/zero"}})
		if err != nil {
			t.Errorf("Fence(ABI %d) = %v, want no error", abi, err)
			continue
		}
		_ = unix.Close(fd)
	}
}

// open makes a folder that others may pass through and not list, as that of `lull up` is.
func open(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "lull-open-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o711); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestChoose(t *testing.T) {
	dir := t.TempDir() // of ours alone
	link := filepath.Join(dir, "link")
	if err := os.Symlink("/dev", link); err != nil {
		t.Fatal(err)
	}
	p, err := Choose("", "", []string{link}, dir)
	if err != nil || p.Mode != Full || !p.User.IsAgent() || p.Why == "" || !slices.Equal(p.Write, []string{"/dev"}) {
		t.Errorf("Choose() = %+v, %v, want full, as this user, with why and /dev to write", p, err)
	}
	if os.Geteuid() == 0 {
		if p, err := Choose("full", "", nil, "/"); err != nil || p.User != account.Nobody {
			t.Errorf("Choose(full) where all may enter = %+v, %v, want nobody", p, err)
		}
		passed := open(t)
		if p, err := Choose("full", "", nil, passed); err != nil || p.User != account.Nobody {
			t.Errorf("Choose(full) of a folder that all may pass, as lull up makes it, = %+v, %v, want nobody", p, err)
		}
	}
	for _, bad := range []struct{ mode, user, write string }{
		{"most", "", "/"}, {"full", "no-such-user", "/"}, {"full", "", "relative"}, {"full", "", "/no/such/path"}, {"full", "64999", "/"},
	} {
		if _, err := Choose(bad.mode, bad.user, []string{bad.write}, dir); err == nil {
			t.Errorf("Choose(%+v) = nil error, want an error", bad)
		}
	}
}

func TestLinesSayWhatIsLost(t *testing.T) {
	for _, c := range []struct {
		policy  Policy
		present string // one letter a line
		says    string
	}{
		{Policy{Mode: Full, ABI: 7, User: account.Nobody, Write: []string{"/scratch"}}, "yyyyy", "only, and /scratch"},
		{Policy{Mode: Full, ABI: 4, User: account.Nobody}, "yynyy", "Linux 6.12"},
		{Policy{Mode: Full, Why: "the agent is not root"}, "nnnny", "Landlock: not in this kernel: tasks can write wherever their user may"},
		{Policy{Mode: Basic, ABI: 7, Why: "contain=basic"}, "nnnny", "off by contain=basic"},
		{Policy{Mode: Off, ABI: 7, Why: "contain=off"}, "nnnnn", "setuid"},
		{Policy{Mode: Full, ABI: 7, Hide: []string{"/data"}}, "yyyny", "tasks read what the agent may beside its keys"},
		{Policy{Mode: Full, ABI: 7, Hide: []string{"/home/ann/data"}, Write: []string{"/home/ann"}}, "ynyny", "tasks may write to /home/ann, which holds /home/ann/data"},
		{Policy{Mode: Full, ABI: 7, User: account.Nobody, Base: 70000, group: 65534}, "yyyyy", "uid 70000 plus the number of the slot, in group 65534"},
		{Policy{Mode: Full, ABI: 7, User: account.Nobody, Shared: "because"}, "yyyyy", "one for all slots (because)"},
	} {
		var present, text strings.Builder
		for _, l := range c.policy.Lines() {
			present.WriteString(map[bool]string{true: "y", false: "n"}[l.Present])
			text.WriteString(l.Text + "\n")
		}
		if present.String() != c.present || !strings.Contains(text.String(), c.says) {
			t.Errorf("%+v: %s\n%s\nwant %s and %q", c.policy, present.String(), text.String(), c.present, c.says)
		}
	}
}
