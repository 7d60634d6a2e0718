package disk

import (
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"golang.org/x/sys/unix"
)

// maxFiles bounds the files of an attempt that one look counts. While the disk runs full there are
// five looks a second, and a stat takes 1–2 µs.
const maxFiles = 20_000

// Attempt is an attempt that has processes.
type Attempt struct {
	ID uint64
	// Folders are the folders to which only this attempt writes.
	Folders []string
	// Pids returns the attempt's processes.
	Pids func() ([]int, error)
}

// usage returns the bytes that an attempt uses on the disk of the data folder. It counts the
// attempt's own folders, and deleted files that its processes keep open. It misses writes to
// folders shared with others.
func (m *Monitor) usage(a Attempt) (bytes int64) {
	left, per := maxFiles, m.cfg.Store.PerFile()
	for _, folder := range a.Folders {
		bytes += allocated(folder, per, &left)
	}
	pids, err := a.Pids()
	if err != nil {
		return bytes // it just ended
	}
	return bytes + m.deleted(pids)
}

// allocated returns the bytes allocated for the files below a folder, each of which counts for perFile at least. It
// counts at most as many files as are left, and none that is removed meanwhile.
func allocated(folder string, perFile int64, left *int) (bytes int64) {
	_ = filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
		var st unix.Stat_t
		if err == nil && unix.Lstat(path, &st) == nil {
			bytes += max(512*st.Blocks, perFile)
		}
		if *left--; *left <= 0 {
			return fs.SkipAll
		}
		return nil
	})
	return bytes
}

// deleted returns the bytes of files on the data folder's disk that have no name any more and
// that one of the processes keeps open.
func (m *Monitor) deleted(pids []int) (bytes int64) {
	var data unix.Stat_t
	if unix.Stat(m.cfg.Store.Root(), &data) != nil {
		return 0
	}
	seen := map[uint64]bool{}
	for _, pid := range pids {
		folder := filepath.Join(m.cfg.Proc, strconv.Itoa(pid), "fd")
		open, _ := os.ReadDir(folder) // the process has ended, or belongs to another user
		for _, fd := range open[:min(len(open), maxFiles)] {
			var st unix.Stat_t
			if unix.Stat(filepath.Join(folder, fd.Name()), &st) != nil || st.Dev != data.Dev || st.Nlink > 0 || seen[st.Ino] {
				continue
			}
			seen[st.Ino] = true
			bytes += 512 * st.Blocks
		}
	}
	return bytes
}
