package store

import (
	"io/fs"
	"path/filepath"
	"syscall"
	"time"
)

// mostSaved bounds how many entries of a checkpoint folder are looked at.
const mostSaved = 1000

// Saved returns when a file of the checkpoint folder last changed, the zero time if it holds
// none. The change time counts, which a task cannot set and which a rename sets as well. In a
// folder with many files only the first ones are looked at.
func (f Folder) Saved() (at time.Time) {
	n := 0
	_ = filepath.WalkDir(f.Checkpoint(), func(_ string, d fs.DirEntry, err error) error {
		if n++; n > mostSaved {
			return fs.SkipAll
		}
		if err != nil || !d.Type().IsRegular() {
			return nil //nolint:nilerr // what cannot be read saves nothing that is known
		}
		info, err := d.Info()
		if err != nil {
			return nil //nolint:nilerr // it was removed meanwhile
		}
		if st, ok := info.Sys().(*syscall.Stat_t); ok {
			if changed := time.Unix(st.Ctim.Unix()); changed.After(at) {
				at = changed
			}
		}
		return nil
	})
	return at
}
