// Package account looks up users of this machine: their numbers and names and what they may write. A
// thread can take a user's rights to files.
package account

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// User is the user that tasks run as. The zero User is the user of the process that starts them.
type User struct {
	UID uint32 `msgpack:"UID"`
	GID uint32 `msgpack:"GID"`
}

// Nobody is the user that every system has for processes that own nothing.
var Nobody = User{65534, 65534}

// IsAgent reports whether u is the zero User: tasks keep the agent's user.
func (u User) IsAgent() bool { return u == User{} }

func (u User) String() string {
	if u.IsAgent() {
		return "the agent's user"
	}
	return u.Name()
}

// Name is the user's name, or its number if it has none. The zero User is root.
func (u User) Name() string {
	if known, err := user.LookupId(strconv.Itoa(int(u.UID))); err == nil {
		return fmt.Sprintf("user %s (uid %d)", known.Username, u.UID)
	}
	return fmt.Sprintf("uid %d", u.UID)
}

// Login is the user's name alone, or its number if it has none. The zero User is that of this process.
func (u User) Login() string {
	uid := strconv.Itoa(int(u.UID))
	if u.IsAgent() {
		uid = strconv.Itoa(os.Geteuid())
	}
	if known, err := user.LookupId(uid); err == nil {
		return known.Username
	}
	return uid
}

// FindUser reads a name, a uid or uid:gid. A uid without an entry in the system's list of users is
// its own group. Root, and the user of this process, give the zero User: there is nothing to
// change.
func FindUser(text string) (User, error) {
	u, err := findUser(text)
	if err != nil || u.UID == 0 || int(u.UID) == os.Geteuid() {
		return User{}, err
	}
	return u, nil
}

func findUser(text string) (User, error) {
	uid, gid, both := strings.Cut(text, ":")
	if both {
		return numbers(uid, gid, text)
	}
	known, err := user.Lookup(text)
	if err != nil {
		known, err = user.LookupId(text)
	}
	if err != nil {
		return numbers(text, text, text)
	}
	return numbers(known.Uid, known.Gid, text)
}

// numbers reads ids. The highest one means "unchanged" to the kernel.
func numbers(uid, gid, text string) (User, error) {
	u, err := strconv.ParseUint(uid, 10, 32)
	g, gerr := strconv.ParseUint(gid, 10, 32)
	const most = 1<<32 - 2
	if err != nil || gerr != nil || u > most || g > most {
		return User{}, fmt.Errorf("user %q: use a name of this system, a uid, or uid:gid", text)
	}
	return User{uint32(u), uint32(g)}, nil
}

// CheckEnter returns an error if the user may not go through a folder to one below it, as the kernel
// sees it.
func (u User) CheckEnter(folder string) error {
	if u.IsAgent() {
		return nil
	}
	if err := u.Run(func() error { return CheckAccess(folder, unix.X_OK) }); err != nil {
		return fmt.Errorf("%s cannot enter %s: %w", u, folder, err)
	}
	return nil
}

// Run calls f with the user's rights to files, like As, on another thread that it locks.
func (u User) Run(f func() error) error {
	answer := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		answer <- u.As(f)
	}()
	return <-answer
}

// As calls f with the user's rights to files on the calling thread, which must be
// locked. Only root may call it. Root's supplementary groups do not apply meanwhile.
func (u User) As(f func() error) error {
	if u.IsAgent() {
		return f()
	}
	groups, err := unix.Getgroups()
	if err != nil {
		return fmt.Errorf("become %s: %w", u, err)
	}
	err = u.Become()
	if err == nil {
		err = f()
	}
	_ = unix.Setfsuid(os.Geteuid())
	_ = unix.Setfsgid(os.Getegid())
	return errors.Join(err, setgroups(groups))
}

// Become gives the calling thread the user's rights to files, and no others. The thread
// must be locked; unless it is unlocked, it ends with its goroutine. Only root may call it.
func (u User) Become() error {
	if u.IsAgent() {
		return nil
	}
	if err := setgroups(nil); err != nil {
		return fmt.Errorf("become %s: %w", u, err)
	}
	_ = unix.Setfsgid(int(u.GID))
	_ = unix.Setfsuid(int(u.UID))
	// The calls report no failure. A call with an invalid id returns the present one.
	if now, _ := unix.SetfsuidRetUid(-1); now != int(u.UID) {
		return fmt.Errorf("become %s: %w (root without CAP_SETUID, or of a namespace without that user)", u, unix.EPERM)
	}
	return nil
}

// setgroups sets the supplementary groups of the calling thread alone; syscall.Setgroups
// sets those of all threads.
func setgroups(gids []int) error {
	list := make([]uint32, len(gids)+1) // one more, so that &list[0] exists
	for i, gid := range gids {
		list[i] = uint32(gid)
	}
	if _, _, errno := unix.RawSyscall(unix.SYS_SETGROUPS, uintptr(len(gids)), uintptr(unsafe.Pointer(&list[0])), 0); errno != 0 {
		return errno
	}
	return nil
}

// CheckAccess asks the kernel whether the calling thread may use a path: unix.R_OK,
// W_OK and X_OK, added up.
func CheckAccess(path string, how uint32) error {
	return unix.Faccessat(unix.AT_FDCWD, path, how, unix.AT_EACCESS)
}

// ownerOf is the owner of a file.
func ownerOf(info fs.FileInfo) (uid, gid uint32) {
	st, _ := info.Sys().(*syscall.Stat_t)
	return st.Uid, st.Gid
}
