package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// ErrBusy says that another agent works in the folder.
var ErrBusy = errors.New("another lull agent works in this folder: stop it, or give this one a folder of its own")

// Store is the folder of one agent. Its methods may be called from several
// goroutines, each with its own attempt.
type Store struct {
	root  string
	lock  *os.File
	disks disks     // that it was opened on
	dirs  *recycler // for the agent's own folders
	given *recycler // for those that tasks write to
	// others are for those of users that Give named beside the first.
	others map[Owner]*recycler
	users  users
	trees  *trees
	hasher func(context.Context) (Hasher, error) // nil: no other process hashes
}

// Open makes or takes over the folder, for this process alone. It returns
// ErrBusy while another process has it; the lock goes with its process. What
// tasks write to is this process's own; see Give.
func Open(root string) (*Store, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, fmt.Errorf("data folder: %w", err)
	}
	for _, dir := range folders {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			return nil, fmt.Errorf("data folder: %w", err)
		}
	}
	if err := openSent(filepath.Join(root, "sent")); err != nil {
		return nil, fmt.Errorf("data folder: %w", err)
	}
	lock, err := os.OpenFile(filepath.Join(root, "agent.lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("data folder: %w", err)
	}
	if err := seizeLock(lock); err != nil {
		_ = lock.Close()
		return nil, fmt.Errorf("data folder %s: %w", root, ErrBusy)
	}
	if err := tidyTemps(root); err != nil {
		return nil, errors.Join(fmt.Errorf("data folder: %w", err), lock.Close())
	}
	dirs, err := openRecycler(filepath.Join(root, "spare"), self())
	if err != nil {
		return nil, errors.Join(fmt.Errorf("data folder: %w", err), lock.Close())
	}
	left, err := openTrees(filepath.Join(root, "inherited"), dirs)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("data folder: %w", err), lock.Close())
	}
	on, err := disksOf(root)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("data folder: %w", err), lock.Close())
	}
	return &Store{root: root, lock: lock, disks: on, dirs: dirs, given: dirs, users: users{of: map[string]int{}}, trees: left}, nil
}

// lockPatience is how long a lock is waited for. An agent that is killed while it starts
// a process leaves its lock with that, until it is another program.
const lockPatience = time.Second

func seizeLock(lock *os.File) error {
	for end := time.Now().Add(lockPatience); ; time.Sleep(10 * time.Millisecond) {
		err := unix.Flock(int(lock.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if err == nil || time.Now().After(end) {
			return err
		}
	}
}

// Close gives the folder back.
func (s *Store) Close() error { return s.lock.Close() }

// Root is the absolute path of the folder.
func (s *Store) Root() string { return s.root }

// Slot is the folder of a slot's shim.
func (s *Store) Slot(n int) string { return filepath.Join(s.root, "slot-"+strconv.Itoa(n)) }

// Task names a task by where its folder is.
type Task struct {
	Job         string // a subject token, so a safe file name
	Stage, Task uint32
}

func (s *Store) job(job string) string { return filepath.Join(s.root, "jobs", job) }

func (s *Store) task(t Task) string {
	return s.root + "/jobs/" + t.Job + "/" + strconv.FormatUint(uint64(t.Stage), 10) + "/" + strconv.FormatUint(uint64(t.Task), 10)
}

// Folder is an attempt's folder. It need not exist.
type Folder struct {
	Path    string
	Attempt uint64
	store   *Store
	owner   Owner // of what the task writes to; zero for the store's first
}

// Folder returns where an attempt's folder is.
func (s *Store) Folder(t Task, attempt uint64) Folder {
	return Folder{s.task(t) + "/attempt-" + strconv.FormatUint(attempt, 10), attempt, s, Owner{}}
}

// Out is where the task leaves its output.
func (f Folder) Out() string { return f.Path + "/out" }

// Work is the task's working folder.
func (f Folder) Work() string { return f.Path + "/work" }

// In holds the outputs of earlier stages. It is made when there are some: see Inputs.
func (f Folder) In() string { return f.Path + "/in" }

// Inputs is the folder In.
func (f Folder) Inputs() Inputs { return Inputs{f.In(), f.Attempt, f.store.dirs, f.store.trees} }

// Output is what the attempt committed, if it has.
func (f Folder) Output() Output { return Output{f.Out(), f.manifest(), f.Attempt} }

// List is the file that lists the task's inputs. It is made when there are some.
func (f Folder) List() string { return f.Path + "/inputs" }

// Stdout is the file of the task's standard output, made with its first byte.
func (f Folder) Stdout() string { return f.Path + "/stdout" }

// Stderr is the file of the task's standard error, made with its first byte.
func (f Folder) Stderr() string { return f.Path + "/stderr" }

// Checkpoint is the task's folder that survives its attempts.
func (f Folder) Checkpoint() string { return filepath.Dir(f.Path) + "/checkpoint" }

func (f Folder) manifest() string { return f.Path + "/manifest" }

// Make makes an attempt's folders, which Clear tidies up. What an earlier start
// of the same attempt left in them is gone.
func (f Folder) Make() error {
	f.Hold()
	err := f.mkdirs()
	if err == nil || !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrExist) {
		return err
	}
	if err := removeTree(f.Path); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(f.Path), folderMode); err != nil {
		return err
	}
	return f.mkdirs()
}

// mkdirs makes what nearly always is missing, without looking first.
func (f Folder) mkdirs() error {
	if err := f.store.dirs.mkdir(filepath.Dir(f.Path)); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	if err := f.mkCheckpoint(); err != nil {
		return err
	}
	if err := f.store.dirs.mkdir(f.Path); err != nil {
		return err
	}
	return errors.Join(f.given().mkdir(f.Out()), f.given().mkdir(f.Work()), linkTemp(f))
}

// mkCheckpoint makes the task's checkpoint folder, or hands over the one that an attempt left,
// whichever user that ran as.
func (f Folder) mkCheckpoint() error {
	given := f.given()
	err := given.mkdir(f.Checkpoint())
	if errors.Is(err, fs.ErrExist) {
		return given.owner.giveTree(f.Checkpoint())
	}
	return err
}

// IsFull reports whether an error says that the disk, or the user's share of
// it, is full.
func IsFull(err error) bool {
	return errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EDQUOT)
}
