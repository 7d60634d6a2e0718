package cgroup

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// Settings are the files of lull's groups that lull has written, or that matter as they were when it made or
// took over a group. They tell when another program writes to one: see Restore. The zero value is ready.
type Settings struct {
	mu  sync.Mutex
	all []*setting // those of a group before those of the groups in it
}

// setting is the value of one file, or of several of one group that are written together.
type setting struct {
	group dir
	first string // the first file, by which the setting is known

	mu      sync.Mutex // held while the files are written or compared
	files   []string
	open    []openFile   // the files, kept open by Restore
	write   func() error // as lull did last; nil before it did
	shown   []string     // by the kernel after that, of each file
	refused string       // what was found last and could not be put back
}

// set writes files of a group, and remembers how. What the kernel shows afterwards is what counts, because it
// rounds limits to pages, bounds weights, and writes lists in a form of its own.
func (s *Settings) set(group dir, files []string, write func() error) error {
	e := s.find(group, files[0])
	if e == nil {
		e = s.add(group, files[0])
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if !slices.Equal(e.files, files) {
		e.closeFiles()
	}
	e.files, e.write = files, write
	return e.apply()
}

// learn remembers what files of a group show now, and how to write that again, unless they are known.
func (s *Settings) learn(group dir, files []string, write func(shown []string) error) {
	if s.find(group, files[0]) != nil || !group.has(files[0]) {
		return
	}
	e := s.add(group, files[0])
	e.mu.Lock()
	defer e.mu.Unlock()
	e.files = files
	e.shown = e.read()
	shown := slices.Clone(e.shown)
	e.write = func() error { return write(shown) }
}

// briefly changes a setting and puts it back at once.
func (s *Settings) briefly(group dir, file string, change func() error) error {
	e := s.find(group, file)
	if e == nil {
		return change()
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return errors.Join(change(), e.apply())
}

// forget drops what is known of a group: it is removed, or made anew.
func (s *Settings) forget(group dir) {
	for _, e := range s.list() {
		if e.group == group {
			e.mu.Lock()
			e.closeFiles()
			e.write = nil
			e.mu.Unlock()
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = slices.DeleteFunc(s.all, func(e *setting) bool { return e.group == group })
}

// list returns all settings.
func (s *Settings) list() []*setting {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.all)
}

func (s *Settings) find(group dir, first string) *setting {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := slices.IndexFunc(s.all, func(e *setting) bool { return e.first == first && e.group == group })
	if at < 0 {
		return nil
	}
	return s.all[at]
}

func (s *Settings) add(group dir, first string) *setting {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := &setting{group: group, first: first}
	s.all = append(s.all, e)
	return e
}

// apply writes the files, and reads what that made of them. e.mu is held.
func (e *setting) apply() error {
	err := e.write()
	e.shown = e.read()
	return err
}

// read returns what the kernel shows of the files. e.mu is held.
func (e *setting) read() []string {
	shown := make([]string, len(e.files))
	var buf [maxShown]byte
	for i, file := range e.files {
		n, err := readHead(filepath.Join(string(e.group), file), buf[:])
		if shown[i] = string(buf[:n]); err != nil {
			shown[i] = unreadable
		}
	}
	return shown
}

const (
	// maxShown is how much of a file is compared, in bytes.
	maxShown = 512
	// unreadable stands for what a file shows that cannot be read.
	unreadable = "\x00"
)

// learnt are the files that matter in a group as they are when lull makes or takes over it, of both versions:
// they could take CPU or memory from its tasks, or from the primary. The class comes first, because a weight
// changes with it.
var learnt = []string{
	"cpu.idle", "cpu.shares", "cpu.weight", "cpu.cfs_quota_us", "cpu.max", "cpuset.cpus", "memory.max", "memory.high", "pids.max",
}

// learnGroup learns the settings of a group.
func (s *Settings) learnGroup(group dir) {
	for _, file := range learnt {
		s.learn(group, []string{file}, func(shown []string) error { return group.write(file, shown[0]) })
	}
	s.learn(group, memoryFilesV1, func(shown []string) error { return limitMemoryV1(group, strings.TrimSpace(shown[0])) })
}

// memoryFilesV1 are the files that limitMemoryV1 writes.
var memoryFilesV1 = []string{"memory.limit_in_bytes", "memory.memsw.limit_in_bytes"}

// delegate hands controllers to the groups below a v2 group, see delegateControllers.
func (s *Settings) delegate(group dir) {
	_ = s.set(group, []string{"cgroup.subtree_control"}, func() error {
		delegateControllers(group)
		return nil
	})
}
