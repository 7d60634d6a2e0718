package waits

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// schedstat is the sensor that reads how long each thread of the primary waited. It does not know
// why, so Delayed is all of the waiting, and it does not know how long threads slept. What a thread
// did between the last reading and its end is lost.
type schedstat struct {
	proc    string
	groups  []string
	threads map[string]threadTimes // by folder below proc
	sum     threadTimes
}

// threadTimes are what a thread ran and waited for a CPU, in nanoseconds.
type threadTimes struct{ ran, waited uint64 }

func openSchedstat(cfg Config) (source, error) {
	if len(cfg.Primary) == 0 {
		return nil, errors.New("no cgroup is named as the primary's")
	}
	s := &schedstat{proc: filepath.Join(cfg.Root, "proc"), groups: cfg.Primary}
	if _, err := readTimes(filepath.Join(s.proc, "self", "schedstat")); err != nil {
		return nil, fmt.Errorf("the kernel does not count how long threads wait: %w", err)
	}
	return s, nil
}

func (s *schedstat) read() (Reading, error) {
	fresh := make(map[string]threadTimes, len(s.threads))
	for _, group := range s.groups {
		pids, err := processes(group)
		if err != nil {
			return Reading{}, err
		}
		for _, pid := range pids {
			if err := s.readProcess(pid, fresh); err != nil {
				return Reading{}, err
			}
		}
	}
	s.threads = fresh
	waited := seconds(s.sum.waited)
	return Reading{Ran: seconds(s.sum.ran), Runnable: waited, Delayed: waited, Name: "schedstat"}, nil
}

// readProcess adds what a process's threads did since the last reading.
func (s *schedstat) readProcess(pid string, fresh map[string]threadTimes) error {
	files, err := filepath.Glob(filepath.Join(s.proc, pid, "task", "*", "schedstat"))
	if err != nil {
		return err
	}
	for _, file := range files {
		now, err := readTimes(file)
		if gone(err) {
			continue
		}
		if err != nil {
			return err
		}
		past := s.threads[file]
		if now.ran < past.ran || now.waited < past.waited {
			past = threadTimes{} // another thread got its number
		}
		s.sum.ran += now.ran - past.ran
		s.sum.waited += now.waited - past.waited
		fresh[file] = now
	}
	return nil
}

// gone reports whether a process or a group ended while it was looked at.
func gone(err error) bool { return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ESRCH) }

// readTimes reads "ran waited slices".
func readTimes(file string) (threadTimes, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return threadTimes{}, err
	}
	fields := bytes.Fields(text)
	if len(fields) < 2 {
		return threadTimes{}, fmt.Errorf("%s holds %q, not two times", file, text)
	}
	ran, err := strconv.ParseUint(string(fields[0]), 10, 64)
	waited, err2 := strconv.ParseUint(string(fields[1]), 10, 64)
	if err = errors.Join(err, err2); err != nil {
		return threadTimes{}, fmt.Errorf("%s: %w", file, err)
	}
	return threadTimes{ran, waited}, nil
}

// processes lists the processes of a cgroup and of all below it.
func processes(group string) (pids []string, err error) {
	err = filepath.WalkDir(group, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return unlessGone(err)
		}
		list, err := os.ReadFile(filepath.Join(path, "cgroup.procs"))
		for lines := bufio.NewScanner(bytes.NewReader(list)); lines.Scan(); {
			pids = append(pids, lines.Text())
		}
		return unlessGone(err)
	})
	if err != nil {
		return nil, fmt.Errorf("processes of the primary: %w", err)
	}
	return pids, nil
}

func unlessGone(err error) error {
	if gone(err) {
		return nil
	}
	return err
}

func (s *schedstat) histogram() (Histogram, bool) { return Histogram{}, false }
func (s *schedstat) close() error                 { return nil }
