package account

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// CanWrite reports whether a user could write below a folder, which need not exist. If not, it returns the
// folder that is the obstacle.
//
// For the user of this process it asks the kernel, which knows all groups. For another user it reads
// modes and owners, so the caller need not be root. A folder with an access control list is never an
// obstacle, nor is one that the caller may not see. But the folder that hides it is one, if the user may
// not enter it either.
func (u User) CanWrite(folder string) (obstacle string, ok bool) {
	if u.UID == 0 {
		return "", true
	}
	folder = filepath.Clean(folder)
	need := uint32(unix.R_OK | unix.W_OK | unix.X_OK)
	for {
		info, err := os.Stat(folder)
		if err == nil && !u.hasRights(folder, info, need) {
			return folder, false
		}
		above := filepath.Dir(folder)
		if above == folder {
			return "", true
		}
		folder = above
		switch {
		case err == nil, errors.Is(err, fs.ErrPermission): // the caller may not enter a folder above, and perhaps the user may not either
			need = unix.X_OK
		case errors.Is(err, fs.ErrNotExist):
			need = unix.W_OK | unix.X_OK
		default:
			return "", true
		}
	}
}

// hasRights reports whether the user has the rights in need on a folder, as CanWrite explains.
func (u User) hasRights(folder string, info fs.FileInfo, need uint32) bool {
	if !info.IsDir() {
		return true // a file is in the way, which creating the folder will report
	}
	if int(u.UID) == os.Geteuid() {
		return !errors.Is(CheckAccess(folder, need), unix.EACCES)
	}
	if n, err := unix.Getxattr(folder, "system.posix_acl_access", nil); err == nil && n > 0 {
		return true
	}
	uid, gid := ownerOf(info)
	mode := uint32(info.Mode().Perm())
	switch {
	case uid == u.UID:
		mode >>= 6
	case gid == u.GID:
		mode >>= 3
	}
	return mode&need == need
}

// Number returns the user as uid:gid, the inverse of ParseNumber. The zero User is the user
// of this process.
func (u User) Number() string {
	if u.IsAgent() {
		u = User{uint32(os.Geteuid()), uint32(os.Getegid())}
	}
	return strconv.Itoa(int(u.UID)) + ":" + strconv.Itoa(int(u.GID))
}

// ParseNumber parses uid:gid.
func ParseNumber(text string) (User, error) {
	uid, gid, _ := strings.Cut(text, ":")
	return numbers(uid, gid, text)
}
