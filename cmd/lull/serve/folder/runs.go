package folder

import (
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// Run is the note of a `lull run` about its job, in the data folder. It is locked while that process lives.
type Run struct {
	Job  string
	path string
	lock *os.File // of this process, nil for others
}

func runsPath(dir, pool string) string { return filepath.Join(dir, "runs", pool) }

// NoteRun notes that this process waits for a job.
func NoteRun(dir, pool, job string) (*Run, error) {
	at := runsPath(dir, pool)
	if err := os.MkdirAll(at, 0o700); err != nil {
		return nil, err
	}
	lock, err := os.CreateTemp(at, ".draft-")
	if err != nil {
		return nil, err
	}
	r := &Run{Job: job, path: filepath.Join(at, job), lock: lock}
	// It gets its name when it is locked: a note without a lock is that of a dead process.
	err = unix.FcntlFlock(lock.Fd(), unix.F_OFD_SETLK, whole(unix.F_WRLCK))
	if err == nil {
		err = os.Rename(lock.Name(), r.path)
	}
	if err != nil {
		_ = os.Remove(lock.Name()) // an empty file
		_ = lock.Close()
		return nil, err
	}
	return r, nil
}

// Forget removes the note.
func (r *Run) Forget() {
	if r == nil {
		return
	}
	_ = os.Remove(r.path) // if it stays, the job is found to have ended
	if r.lock != nil {
		_ = r.lock.Close() // nothing was written
	}
}

// Abandoned returns the notes of processes that ended without removing them.
func Abandoned(dir, pool string) (all []*Run) {
	at := runsPath(dir, pool)
	entries, err := os.ReadDir(at)
	if err != nil {
		return nil // no lull run was here
	}
	for _, e := range entries {
		path := filepath.Join(at, e.Name())
		if e.Name()[0] != '.' && !locked(path) {
			all = append(all, &Run{Job: e.Name(), path: path})
		}
	}
	return all
}

// AdoptRuns forgets the notes of dead processes: the owner of the folder goes on with their jobs.
func (f *Folder) AdoptRuns(pool string) {
	for _, left := range Abandoned(f.Dir, pool) {
		left.Forget()
	}
}
