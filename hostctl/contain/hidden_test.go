package contain

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"lull/actors/account"
)

func TestAliases(t *testing.T) {
	dir := t.TempDir()
	data := filepath.Join(dir, "data")
	for _, at := range []string{data, dir + "/home"} {
		if err := os.Mkdir(at, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	// As a bind mount of dir would: the same file by another path.
	if err := os.Symlink(data, dir+"/home/data"); err != nil {
		t.Fatal(err)
	}
	all := []mount{
		{"8:1", "/", "/"}, {"8:2", "/vol", dir}, {"8:2", "/vol", dir + "/home"}, {"8:2", "/vol/data/agent", "/agent"},
		{"8:2", "/vol/other", "/other"}, {"8:1", "/vol/data", "/foreign"}, {"8:2", "/vol", "/not/there"},
	}
	if got, want := aliases(data, all), []string{dir + "/home/data", "/agent"}; !slices.Equal(got, want) {
		t.Errorf("aliases() = %q, want %q", got, want)
	}
	if got := aliases("/nowhere", nil); got != nil {
		t.Errorf("aliases without mounts = %q, want none", got)
	}
}

func TestParseMounts(t *testing.T) {
	got := parseMounts("36 35 98:0 /mnt1 /mnt\\0402 rw,noatime master:1 - ext3 /dev/root rw\nshort\n")
	if want := []mount{{"98:0", "/mnt1", "/mnt 2"}}; !slices.Equal(got, want) {
		t.Errorf("parseMounts() = %q, want %q", got, want)
	}
}

func TestOutermost(t *testing.T) {
	got := outermost([]string{"/a/b", "/a", "/ab", "/a", "/c/d/e", "/c/d"})
	if want := []string{"/a", "/ab", "/c/d"}; !slices.Equal(got, want) {
		t.Errorf("outermost() = %q, want %q", got, want)
	}
}

// The paths that are hidden need not be there yet, and links on the way to them are followed.
func TestResolve(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(dir, dir+"/link"); err != nil {
		t.Fatal(err)
	}
	got := Resolve([]string{dir + "/link/later/data", "", "/", dir + "/link", dir})
	if want := []string{dir + "/later/data", dir}; !slices.Equal(got, want) {
		t.Errorf("Resolve() = %q, want %q", got, want)
	}
}

func TestHides(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := Policy{Hide: []string{dir + "/data"}}
	for path, want := range map[string]string{
		dir + "/data": dir + "/data", dir + "/data/agent/x": dir + "/data", dir + "/database": "", dir: "", dir + "/x/../data/y": dir + "/data",
	} {
		if got := p.Hides(path); got != want {
			t.Errorf("Hides(%s) = %q, want %q", path, got, want)
		}
	}
}

// A user a slot is the default, except where it would take something from tasks.
func TestUsersOfSlots(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root, to run tasks as another user")
	}
	passed, scratch := open(t), open(t)
	choose := func(user string, write ...string) Policy {
		p, err := Choose("", user, write, passed)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.PerSlot(0, passed); err != nil {
			t.Fatal(err)
		}
		return p
	}
	p := choose("")
	if p.Base == 0 {
		t.Skipf("needs uids to spare: %s", p.Shared)
	}
	if a, b := p.UserOf(0), p.UserOf(7); a.UID < firstSlotUser || b.UID != a.UID+7 || a.GID != account.Nobody.GID || b.UID >= 1<<31 || p.User != account.Nobody {
		t.Errorf("users of slots 0 and 7 = %v, %v, want uids of their own and the group of %v", a, b, account.Nobody)
	}
	if p := choose("nobody"); p.UserOf(7) != account.Nobody {
		t.Errorf("user of slot 7 = %v, want nobody, which a flag names", p.UserOf(7))
	}
	if p := choose("", scratch); p.Base == 0 || p.Shared != "" {
		t.Errorf("with a folder that no task may write to: %+v, want a user a slot", p)
	}
	if err := os.Chown(scratch, int(account.Nobody.UID), int(account.Nobody.GID)); err != nil {
		t.Fatal(err)
	}
	if p := choose("", scratch); p.UserOf(7) != account.Nobody || p.Shared == "" {
		t.Errorf("with a folder of nobody's to write to: %+v, want nobody for all, and why", p)
	}
}

func TestMapped(t *testing.T) {
	for ids, want := range map[string]bool{
		"         0          0 4294967295\n": true, "0 100000 65536\n": false, "": false, "0 0 1\n2100000000 5 65536\n": true,
	} {
		if got := mapped(ids, firstSlotUser, slotsMost); got != want {
			t.Errorf("mapped(%q) = %v, want %v", ids, got, want)
		}
	}
}
