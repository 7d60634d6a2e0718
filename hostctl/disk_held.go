package hostctl

import (
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"golang.org/x/sys/unix"
)

// countMost bounds the files of an attempt that are counted at each look, of which there
// are five a second while the disk runs full: a stat takes 1–2 µs.
const countMost = 20_000

// holds is the bytes that an attempt has on the disk of the data folder: in its
// own folders, and in files that its processes deleted and hold open. What it writes
// elsewhere (Config.TaskWrite) tells nobody whose it is.
func (a *Agent) holds(r *run) (bytes int64) {
	left := countMost
	for _, folder := range []string{r.folder.Out(), r.folder.Work(), r.folder.Checkpoint()} {
		bytes += below(folder, &left)
	}
	pids, err := r.slot.Group.Pids()
	if err != nil {
		return bytes // it just ended
	}
	return bytes + a.deleted(pids)
}

// below is the bytes allocated for the files below a folder, for as many as are left to
// count. What goes while we look counts nothing.
func below(folder string, left *int) (bytes int64) {
	_ = filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
		var st unix.Stat_t
		if err == nil && unix.Lstat(path, &st) == nil {
			bytes += 512 * st.Blocks
		}
		if *left--; *left <= 0 {
			return fs.SkipAll
		}
		return nil
	})
	return bytes
}

// deleted is the bytes of files on our disk that have no name any more and that one of the
// processes holds open.
func (a *Agent) deleted(pids []int) (bytes int64) {
	var home unix.Stat_t
	if unix.Stat(a.store.Root(), &home) != nil {
		return 0
	}
	seen := map[uint64]bool{}
	for _, pid := range pids {
		folder := filepath.Join(a.cfg.Root, "proc", strconv.Itoa(pid), "fd")
		open, _ := os.ReadDir(folder) // gone, or another user's: it tells nothing
		for _, fd := range open[:min(len(open), countMost)] {
			var st unix.Stat_t
			if unix.Stat(filepath.Join(folder, fd.Name()), &st) != nil || st.Dev != home.Dev || st.Nlink > 0 || seen[st.Ino] {
				continue
			}
			seen[st.Ino] = true
			bytes += 512 * st.Blocks
		}
	}
	return bytes
}
