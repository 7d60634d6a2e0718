package contain

import (
	"errors"
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// onFiles are the rights to change the contents of a file or the state of a device.
const onFiles = unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE | unix.LANDLOCK_ACCESS_FS_IOCTL_DEV

// onFolders are the rights to change the entries of a folder.
const onFolders = unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
	unix.LANDLOCK_ACCESS_FS_MAKE_CHAR | unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG |
	unix.LANDLOCK_ACCESS_FS_MAKE_SOCK | unix.LANDLOCK_ACCESS_FS_MAKE_FIFO | unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK |
	unix.LANDLOCK_ACCESS_FS_MAKE_SYM | unix.LANDLOCK_ACCESS_FS_REFER

// The first versions of Landlock's interface with the features that fences use; see landlock(7).
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

// writes returns the write rights that a kernel with this version of Landlock can restrict.
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

// ruleset is the attribute of landlock_create_ruleset(2) as of ABI 6. An older kernel accepts fields that
// it does not know if they are zero.
type ruleset struct{ files, network, scoped uint64 }

// Access is what a task may do with files.
type Access struct {
	// Write are the folders and files that it may write to, beside the null device.
	Write []string
	// Folders are descriptors of further folders that it may write to.
	Folders []int
	// Read are folders of its own that it may read though they are hidden. So are those of Write.
	Read []string
	// Hidden is what it may not read; nil if it may read all that its user may.
	Hidden *Hidden
}

// Fence makes a Landlock ruleset and returns its descriptor. A thread that Restrict put behind it can read
// and write only what access says. From ABI 6 on it can signal only processes behind the same fence. Making
// a fence costs 5 µs, and more for each file beside and above what is hidden (docs/kernel.md).
func Fence(abi int, access Access) (fd int, err error) {
	rights, reads := writes(abi), uint64(0)
	if access.Hidden != nil {
		reads = unix.LANDLOCK_ACCESS_FS_READ_FILE
	}
	if fd, err = bare(abi, rights|reads); err != nil {
		return -1, err
	}
	for _, path := range append([]string{"/dev/null"}, access.Write...) {
		if err := allowBelow(fd, path, rights|reads); err != nil {
			return -1, errors.Join(fmt.Errorf("make a Landlock fence that lets tasks write to %s: %w", path, err), unix.Close(fd))
		}
	}
	for _, folder := range access.Folders {
		if err := allow(fd, folder, rights|reads); err != nil {
			return -1, errors.Join(fmt.Errorf("make a Landlock fence that lets tasks write to a folder of their own: %w", err), unix.Close(fd))
		}
	}
	if access.Hidden == nil {
		return fd, nil
	}
	for _, path := range access.Read {
		if err := allowBelow(fd, path, reads); err != nil {
			return -1, errors.Join(fmt.Errorf("make a Landlock fence that lets tasks read %s: %w", path, err), unix.Close(fd))
		}
	}
	if err := access.Hidden.allow(fd); err != nil {
		return -1, errors.Join(fmt.Errorf("make a Landlock fence around what tasks may not read: %w", err), unix.Close(fd))
	}
	return fd, nil
}

// FenceAround makes a fence, like Fence, that allows writing only below a folder that the caller has opened.
func FenceAround(abi, folder int) (fd int, err error) {
	rights := writes(abi)
	if fd, err = bare(abi, rights); err != nil {
		return -1, err
	}
	if err := allow(fd, folder, rights); err != nil {
		return -1, errors.Join(fmt.Errorf("make a Landlock fence around an open folder: %w", err), unix.Close(fd))
	}
	return fd, nil
}

// bare makes a ruleset that allows none yet of the rights that it restricts.
func bare(abi int, rights uint64) (fd int, err error) {
	attr := ruleset{files: rights}
	if abi >= withScopes {
		attr.scoped = unix.LANDLOCK_SCOPE_SIGNAL | unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET
	}
	r, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), unsafe.Sizeof(attr), 0)
	if errno != 0 {
		return -1, fmt.Errorf("make a Landlock fence: %w", errno)
	}
	return int(r), nil
}

// allowBelow adds rights below path to a ruleset. If path is a file, it leaves out the rights
// that only folders have. It does not follow a symbolic link at path, so the link's target stays closed.
func allowBelow(fence int, path string, rights uint64) error {
	at, err := unix.Open(path, unix.O_PATH|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(at) //nolint:errcheck // nothing was written
	if err = allow(fence, at, rights); errors.Is(err, unix.EINVAL) {
		err = allow(fence, at, rights&(onFiles|unix.LANDLOCK_ACCESS_FS_READ_FILE))
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
		return fmt.Errorf("apply the Landlock fence: %w", errno)
	}
	return nil
}
