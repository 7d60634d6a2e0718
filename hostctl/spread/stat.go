package spread

import (
	"bytes"
	"fmt"
)

// Fields of /proc/<pid>/stat by their numbers in proc(5).
const (
	stateField     = 3
	startField     = 22
	processorField = 39
)

// statFields are the fields from the state on. The command before it may hold
// blanks and brackets.
func statFields(stat []byte) ([][]byte, error) {
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) <= processorField-stateField {
		return nil, fmt.Errorf("a thread's stat has %d fields: %q", len(fields), stat)
	}
	return fields, nil
}

// runnable is the CPU of a thread that runs or wants to. It does not allocate.
func runnable(stat []byte) (cpu int, ok bool) {
	rest := stat[bytes.LastIndexByte(stat, ')')+1:]
	for field := stateField; ; field++ {
		rest = bytes.TrimLeft(rest, " ")
		end := bytes.IndexByte(rest, ' ')
		if end < 0 {
			return 0, false
		}
		switch word := rest[:end]; {
		case field == stateField && string(word) != "R":
			return 0, false
		case field == processorField:
			cpu, ok = digits(word)
			return cpu, ok
		}
		rest = rest[end:]
	}
}

// maxCPUs bounds what a file may say: the kernel's largest NR_CPUS is 8192.
const maxCPUs = 8192

func digits(word []byte) (n int, ok bool) {
	for _, c := range word {
		if c < '0' || c > '9' || n >= maxCPUs {
			return 0, false
		}
		n = 10*n + int(c-'0')
	}
	return n, len(word) > 0 && n < maxCPUs
}
