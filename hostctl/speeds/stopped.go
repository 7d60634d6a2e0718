package speeds

import (
	"bytes"
	"os"
	"strconv"
	"strings"
)

// stoppedLooks is how many looks in a row must find a task stopped: a debugger or a shell's job control
// may stop a process for a moment.
const stoppedLooks = 2

// stoppedTask counts the looks that found the task stopped.
type stoppedTask struct {
	pid   uint32 // the process that was found stopped, 0 for none
	looks int
}

// look takes the task's processes into account. held says that lull itself keeps them from running.
func (s *stoppedTask) look(root string, pids []int, held bool) {
	s.pid = 0
	if !held {
		s.pid = stoppedAmong(root, pids)
	}
	if s.pid == 0 {
		s.looks = 0
		return
	}
	s.looks = min(s.looks+1, stoppedLooks)
}

// process returns the stopped process of a task that stays stopped, 0 for none.
func (s *stoppedTask) process() uint32 {
	if s.looks < stoppedLooks {
		return 0
	}
	return s.pid
}

// stoppedAmong returns the first process that was stopped, if the others only sleep: a shell waits for the
// program that it started. It returns 0 if one of them runs.
func stoppedAmong(root string, pids []int) (stopped uint32) {
	for _, pid := range pids {
		switch processState(root, pid) {
		case 'R', 'D':
			return 0
		case 'T':
			if stopped == 0 {
				stopped = uint32(pid)
			}
		}
	}
	return stopped
}

// processState is the letter of a process's state, 0 if it is gone.
func processState(root string, pid int) byte {
	text, err := os.ReadFile(root + "/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0
	}
	end := bytes.LastIndexByte(text, ')') // the name before it may contain anything
	if end < 0 || end+2 >= len(text) {
		return 0
	}
	return text[end+2]
}

// maxBelow bounds the processes that below returns.
const maxBelow = 1000

// below returns the processes that a process has started, and those that these have.
func below(root string, pid int) (all []int) {
	for next := []int{pid}; len(next) > 0 && len(all) < maxBelow; next = next[1:] {
		dir := root + "/proc/" + strconv.Itoa(next[0]) + "/task"
		threads, _ := os.ReadDir(dir) // none if it has ended
		for _, thread := range threads {
			children, _ := os.ReadFile(dir + "/" + thread.Name() + "/children")
			for field := range strings.FieldsSeq(string(children)) {
				if child, err := strconv.Atoi(field); err == nil {
					all, next = append(all, child), append(next, child)
				}
			}
		}
	}
	return all
}
