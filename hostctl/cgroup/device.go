package cgroup

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// disk returns the block device of a folder's file system, as major:minor. For a partition it
// returns the whole disk, because the kernel bounds only whole disks.
func (c Capabilities) disk(folder string) (string, error) {
	var st unix.Stat_t
	if err := unix.Stat(folder, &st); err != nil {
		return "", err
	}
	number := st.Dev
	if unix.Major(number) == 0 { // of the file system itself, as with btrfs
		var err error
		if number, err = c.sourceDevice(folder); err != nil {
			return "", err
		}
	}
	return c.wholeDisk(fmt.Sprintf("%d:%d", unix.Major(number), unix.Minor(number)))
}

// wholeDisk is the disk that a device is a partition of, or the device.
func (c Capabilities) wholeDisk(device string) (string, error) {
	at, err := filepath.EvalSymlinks(c.path("sys/dev/block/" + device))
	if err != nil {
		return "", fmt.Errorf("device %s is no disk: %w", device, err)
	}
	if !dir(at).has("partition") {
		return device, nil
	}
	disk, err := os.ReadFile(filepath.Join(filepath.Dir(at), "dev"))
	return strings.TrimSpace(string(disk)), err
}

// sourceDevice is the device that a file system names in mountinfo as its source.
func (c Capabilities) sourceDevice(folder string) (uint64, error) {
	resolved, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return 0, err
	}
	b, err := os.ReadFile(c.path("proc/self/mountinfo"))
	if err != nil {
		return 0, err
	}
	path := mountedFrom(string(b), resolved)
	var st unix.Stat_t
	if !strings.HasPrefix(path, "/dev/") || unix.Stat(c.path(path), &st) != nil || st.Mode&unix.S_IFMT != unix.S_IFBLK {
		return 0, fmt.Errorf("its file system is not on a disk (%s)", path)
	}
	return st.Rdev, nil
}

// mountedFrom is the source of the mount that a path lies on: the last of the
// longest, since later mounts hide earlier ones. "" if there is none.
func mountedFrom(mountinfo, path string) (source string) {
	longest := 0
	for line := range strings.Lines(mountinfo) {
		left, right, _ := strings.Cut(line, " - ")
		l, r := strings.Fields(left), strings.Fields(right)
		if len(l) < 5 || len(r) < 2 {
			continue
		}
		point := unescape(l[4])
		if len(point) >= longest && within(point, path) {
			longest, source = len(point), unescape(r[1])
		}
	}
	return source
}

// within reports whether a path is a folder or lies below it.
func within(folder, path string) bool {
	return path == folder || strings.HasPrefix(path, strings.TrimSuffix(folder, "/")+"/")
}
