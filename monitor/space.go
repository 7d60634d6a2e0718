package monitor

import (
	"fmt"
	"time"

	"golang.org/x/sys/unix"

	"lull/subjects"
)

// space reads the bytes that are free to an ordinary user on path's disk.
func space(path string) read {
	return func(time.Time) (func(*subjects.Usage), error) {
		var stat unix.Statfs_t
		if err := unix.Statfs(path, &stat); err != nil {
			return nil, fmt.Errorf("statfs %s: %w", path, err)
		}
		free := int64(stat.Bavail) * int64(stat.Bsize) //nolint:unconvert // its width differs between architectures
		return func(u *subjects.Usage) { u.DiskFree = free }, nil
	}
}
