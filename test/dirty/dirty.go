// Package dirty tells tests whether what was written has reached the disk.
package dirty

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// Pages returns how many pages of the files in a folder are not on the disk yet. It skips the test where the kernel doesn't
// tell, or where the folder is on no disk.
func Pages(tb testing.TB, folder string) (pages uint64) {
	tb.Helper()
	var fsys unix.Statfs_t
	if err := unix.Statfs(folder, &fsys); err != nil {
		tb.Fatal(err)
	}
	if fsys.Type == unix.TMPFS_MAGIC {
		tb.Skip("needs a temporary folder on a disk: set TMPDIR")
	}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		n, err := ofFile(path)
		pages += n
		return err
	})
	if errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EPERM) {
		tb.Skip("needs cachestat(2), Linux 6.5: ", err)
	}
	if err != nil {
		tb.Fatal(err)
	}
	return pages
}

func ofFile(path string) (uint64, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close() //nolint:errcheck // read only
	var stat unix.Cachestat_t
	err = unix.Cachestat(uint(f.Fd()), &unix.CachestatRange{}, &stat, 0)
	return stat.Dirty + stat.Writeback, err
}
