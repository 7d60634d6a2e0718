package spread

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Tasks is the watch for kernels that accept no BPF programs: it reads the stat files of the
// primary's threads. That costs 2.4 µs a thread, so the primary must be named. It sees neither
// which of several threads runs nor what other CPUs do.
type Tasks struct {
	proc    string
	groups  []string
	cpus    int
	threads []task
	scanned time.Time
	stat    [512]byte
}

// task is a thread with its stat file.
type task struct {
	id, stat int
}

var _ Watch = (*Tasks)(nil)

// rescan is how often new threads are looked for.
const rescan = time.Second

// NewTasks watches the processes in cgroups' folders, and in those below them.
func NewTasks(groups ...string) (*Tasks, error) {
	full, err := unboundMask()
	if err != nil {
		return nil, err
	}
	t := &Tasks{proc: "/proc", groups: groups, cpus: len(maskBits(&full))}
	return t, t.scan()
}

// Bell is none.
func (t *Tasks) Bell() int { return -1 }

// SetListener does nothing: nothing calls.
func (t *Tasks) SetListener(int) {}

// Look appends what each CPU does as far as the primary goes. Of several threads
// on one CPU all but the first count as waiting, for long.
func (t *Tasks) Look(to []CPU) ([]CPU, error) {
	if now := time.Now(); now.Sub(t.scanned) >= rescan {
		if err := t.scan(); err != nil {
			return to, err
		}
	}
	begin := len(to)
	for range t.cpus {
		to = append(to, CPU{})
	}
	for _, task := range t.threads {
		n, err := unix.Pread(task.stat, t.stat[:], 0)
		if err != nil {
			continue // it ended
		}
		if at, ok := runnable(t.stat[:n]); ok && at < t.cpus {
			to[begin+at].addThread(task.id)
		}
	}
	return to, nil
}

// addThread counts a thread that runs on a CPU or wants to.
func (c *CPU) addThread(thread int) {
	if c.Runs == Primary {
		c.Add(Waiter{thread, rescan})
	}
	c.Runs = Primary
}

// scan opens the stat files of the threads that there are now.
func (t *Tasks) scan() error {
	t.forget()
	t.scanned = time.Now()
	for _, group := range t.groups {
		err := filepath.WalkDir(group, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || !entry.IsDir() {
				return err
			}
			return t.open(filepath.Join(path, "cgroup.procs"))
		})
		if err != nil {
			return fmt.Errorf("processes of the primary: %w", err)
		}
	}
	return nil
}

// open adds the threads of the processes that a file lists.
func (t *Tasks) open(procs string) error {
	list, err := os.ReadFile(procs)
	if err != nil {
		return err
	}
	for pid := range strings.FieldsSeq(string(list)) {
		folder := filepath.Join(t.proc, pid, "task")
		entries, _ := os.ReadDir(folder) // of one that ended there are none
		for _, e := range entries {
			id, err := strconv.Atoi(e.Name())
			if err != nil {
				return fmt.Errorf("%s: %w", folder, err)
			}
			if fd, err := unix.Open(filepath.Join(folder, e.Name(), "stat"), unix.O_RDONLY|unix.O_CLOEXEC, 0); err == nil {
				t.threads = append(t.threads, task{id, fd})
			}
		}
	}
	return nil
}

func (t *Tasks) forget() {
	for _, task := range t.threads {
		_ = unix.Close(task.stat) // it was only read
	}
	t.threads = t.threads[:0]
}

// Close closes the files.
func (t *Tasks) Close() error { t.forget(); return nil }
