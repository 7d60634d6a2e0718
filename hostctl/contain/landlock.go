package contain

import (
	"errors"
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// onFiles are the ways to change what a file holds, or a device does.
const onFiles = unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE | unix.LANDLOCK_ACCESS_FS_IOCTL_DEV

// onFolders are the ways to change what a folder holds.
const onFolders = unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
	unix.LANDLOCK_ACCESS_FS_MAKE_CHAR | unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG |
	unix.LANDLOCK_ACCESS_FS_MAKE_SOCK | unix.LANDLOCK_ACCESS_FS_MAKE_FIFO | unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK |
	unix.LANDLOCK_ACCESS_FS_MAKE_SYM | unix.LANDLOCK_ACCESS_FS_REFER

// The versions of Landlock's interface that brought what we use, see landlock(7).
const (
	WithRefer    = 2 // Linux 5.19: moving and linking between folders of the task
	withTruncate = 3 // Linux 6.2
	withIoctl    = 5 // Linux 6.10
	withScopes   = 6 // Linux 6.12: signals and abstract sockets
)

// ABI is the version of the kernel's Landlock, 0 if it has none.
func ABI() int {
	abi, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0
	}
	return int(abi)
}

// writes are the rights that a kernel can withhold.
func writes(abi int) uint64 {
	rights := uint64(onFiles | onFolders)
	for _, later := range []struct {
		since int
		right uint64
	}{
		{WithRefer, unix.LANDLOCK_ACCESS_FS_REFER},
		{withTruncate, unix.LANDLOCK_ACCESS_FS_TRUNCATE},
		{withIoctl, unix.LANDLOCK_ACCESS_FS_IOCTL_DEV},
	} {
		if abi < later.since {
			rights &^= later.right
		}
	}
	return rights
}

// ruleset is the attribute of landlock_create_ruleset(2) as of ABI 6. A kernel
// takes fields that it does not know for as long as they are zero.
type ruleset struct{ files, network, scoped uint64 }

// Fence makes a ruleset. A thread behind it can write only below the given folders, to the given
// files and to the null device, and can signal only processes behind the same fence. It costs 5
// µs.
func Fence(abi int, write []string) (fd int, err error) {
	fd, rights, err := bare(abi)
	if err != nil {
		return -1, err
	}
	for _, path := range append([]string{"/dev/null"}, write...) {
		if err := allowBelow(fd, path, rights); err != nil {
			return -1, errors.Join(fmt.Errorf("make a fence that leaves %s open: %w", path, err), unix.Close(fd))
		}
	}
	return fd, nil
}

// FenceAround is a Fence that allows writing only below a folder that the caller has
// opened.
func FenceAround(abi, folder int) (fd int, err error) {
	fd, rights, err := bare(abi)
	if err != nil {
		return -1, err
	}
	if err := allow(fd, folder, rights); err != nil {
		return -1, errors.Join(fmt.Errorf("make a fence around an open folder: %w", err), unix.Close(fd))
	}
	return fd, nil
}

// bare makes a ruleset that allows nothing, and returns the rights that it controls.
func bare(abi int) (fd int, rights uint64, err error) {
	attr := ruleset{files: writes(abi)}
	if abi >= withScopes {
		attr.scoped = unix.LANDLOCK_SCOPE_SIGNAL | unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET
	}
	r, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), unsafe.Sizeof(attr), 0)
	if errno != 0 {
		return -1, 0, fmt.Errorf("make a fence: %w", errno)
	}
	return int(r), attr.files, nil
}

// allowBelow adds the right to write below path to a ruleset. A file gets no rights of folders. A
// symbolic link in place of a folder opens nothing.
func allowBelow(fence int, path string, rights uint64) error {
	at, err := unix.Open(path, unix.O_PATH|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(at) //nolint:errcheck // nothing was written
	if err = allow(fence, at, rights); errors.Is(err, unix.EINVAL) {
		err = allow(fence, at, rights&onFiles)
	}
	return err
}

func allow(fence, at int, rights uint64) error {
	rule := unix.LandlockPathBeneathAttr{Allowed_access: rights, Parent_fd: int32(at)}
	_, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(fence), unix.LANDLOCK_RULE_PATH_BENEATH,
		uintptr(unsafe.Pointer(&rule)), 0, 0, 0)
	if errno != 0 {
		return errno
	}
	return nil
}

// Restrict puts the calling thread behind a fence, for good. The thread needs
// no_new_privs, or CAP_SYS_ADMIN.
func Restrict(fence int) error {
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, uintptr(fence), 0, 0); errno != 0 {
		return fmt.Errorf("go behind the fence: %w", errno)
	}
	return nil
}
