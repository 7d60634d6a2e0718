package trees

import (
	"bytes"
	"errors"
	"os"
	"strconv"
	"strings"
)

// userHZ is the unit of times in /proc/<pid>/stat: the kernel shows hundredths of a second to
// programs on all architectures that Go runs on.
const userHZ = 100

// process is the content of a stat file.
type process struct {
	cpu      float64 // seconds, with those of the children that it waited for
	started  uint64  // ticks since boot
	runnable bool    // its main thread runs or waits for a CPU
}

// readBelow sums over a process's living descendants and those that they waited for. It takes each
// thread that it visits from left, and stops when none is left.
func (c *Counter) readBelow(pid int, left *int) (sum process) {
	tasks := c.proc + strconv.Itoa(pid) + "/task"
	threads, _ := os.ReadDir(tasks) // none if the process has ended
	for _, thread := range threads {
		if *left--; *left < 0 {
			return sum
		}
		children, _ := os.ReadFile(tasks + "/" + thread.Name() + "/children") // none if the thread has ended
		for field := range strings.FieldsSeq(string(children)) {
			child, err := strconv.Atoi(field)
			if err != nil {
				continue
			}
			own, err := c.readStat(child)
			if err != nil {
				continue // it has ended, and its parent's time has its own
			}
			below := c.readBelow(child, left)
			sum.cpu += own.cpu + below.cpu
			sum.runnable = sum.runnable || own.runnable || below.runnable
		}
	}
	return sum
}

func (c *Counter) readStat(pid int) (process, error) {
	text, err := os.ReadFile(c.proc + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return process{}, err
	}
	return parseStat(text)
}

var errNoStat = errors.New("this is no /proc/<pid>/stat")

// parseStat reads state, utime, stime, cutime, cstime and starttime: fields 3, 14 to 17 and 22, see
// proc_pid_stat(5). The name in field 2 may hold spaces and brackets.
func parseStat(text []byte) (p process, err error) {
	end := bytes.LastIndexByte(text, ')')
	if end < 0 {
		return p, errNoStat
	}
	fields := bytes.Fields(text[end+1:]) // from field 3 on
	if len(fields) < 20 {
		return p, errNoStat
	}
	p.runnable = string(fields[0]) == "R"
	for _, field := range fields[11:15] {
		ticks, err := strconv.ParseUint(string(field), 10, 63)
		if err != nil {
			return process{}, errNoStat
		}
		p.cpu += float64(ticks) / userHZ
	}
	if p.started, err = strconv.ParseUint(string(fields[19]), 10, 64); err != nil {
		return process{}, errNoStat
	}
	return p, nil
}
