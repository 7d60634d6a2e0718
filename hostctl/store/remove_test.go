package store

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"

	"golang.org/x/sys/unix"

	"lull/actors/account"
)

// limitFiles leaves this process so many descriptors until the test ends.
func limitFiles(t *testing.T, most uint64) {
	t.Helper()
	var was unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &was); err != nil {
		t.Fatal(err)
	}
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: most, Max: was.Max}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Setrlimit(unix.RLIMIT_NOFILE, &was) })
}

// nest makes folders within folders with a file in each.
func nest(t *testing.T, path string, depth int) {
	t.Helper()
	d, err := openBare(path)
	for i := 0; i < depth && err == nil; i++ {
		var below bare
		err = errors.Join(unix.Mkdirat(int(d), "d", 0o755), unix.Mknodat(int(d), "raised-"+strconv.Itoa(i%7), unix.S_IFREG|0o644, 0))
		if err == nil {
			below, err = openBareAt(int(d), "d")
		}
		d.close()
		d = below
	}
	if err != nil {
		t.Fatal(err)
	}
	d.close()
}

// A task that nests folders without end leaves nothing behind, and takes no descriptors of the agent.
func TestNestedFoldersAreRemoved(t *testing.T) {
	s := open(t)
	f := made(t, s, 0, 1)
	nest(t, f.Work(), 500)
	limitFiles(t, 3*maxOpen)
	if err := f.Clear(false); err != nil {
		t.Fatal(err)
	}
	if exists(f.Path) {
		t.Errorf("%s is there, want it gone", f.Path)
	}
}

// An agent that is not root removes folders to which their owner, its own user, has no rights.
func TestFoldersWithoutRightsAreRemoved(t *testing.T) {
	dir, err := os.MkdirTemp("", "store") // where user nobody can enter
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	top := dir + "/work"
	deep := top
	for range maxOpen + 2 {
		deep += "/d"
	}
	put(t, deep+"/f", "x")
	put(t, top+"/none/f", "x")
	put(t, top+"/read/d/f", "x")
	user := account.User{}
	if os.Geteuid() == 0 {
		user = account.Nobody
	}
	err = filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		if err == nil && user != (account.User{}) {
			err = os.Lchown(path, int(user.UID), int(user.GID))
		}
		return err
	})
	for path, mode := range map[string]os.FileMode{deep: 0o500, filepath.Dir(deep): 0o500, top + "/none": 0, top + "/read/d": 0o400, top + "/read": 0o500, top: 0o500} {
		err = errors.Join(err, os.Chmod(path, mode))
	}
	if err != nil {
		t.Fatal(err)
	}
	runtime.LockOSThread()
	err = user.As(func() error { return removeTree(top) })
	runtime.UnlockOSThread()
	if err != nil || exists(top) {
		t.Errorf("%s is there: %v, %v, want it gone", top, exists(top), err)
	}
}

// Folders that are nested deeper than any output's fail the task, and a checkpoint keeps those. A walk through all of
// them would take the agent's descriptors.
func TestNestedFoldersTakeFewDescriptors(t *testing.T) {
	s := open(t)
	f := made(t, s, 0, 1)
	nest(t, f.Out(), maxDepth+100)
	limitFiles(t, maxDepth+64)
	if _, _, err := f.Commit(t.Context()); !errors.Is(err, ErrOutput) {
		t.Errorf("Commit() = %v, want ErrOutput", err)
	}
	if err := f.Clear(false); err != nil {
		t.Error(err)
	}
}

func TestANestedCheckpointIsGivenAway(t *testing.T) {
	needRoot(t)
	tree := t.TempDir() + "/checkpoint"
	put(t, tree+"/f", "x")
	nest(t, tree, maxDepth+100)
	limitFiles(t, 2*maxDepth+64)
	if err := (Owner{64998, 64998}).giveTree(tree); err != nil || uid(t, tree+"/d") != 64998 {
		t.Errorf("giveTree() = %v, want %s/d to belong to 64998", err, tree)
	}
}
