// Package steal measures how much CPU the hypervisor took from this machine during another measurement.
// A virtual machine's neighbours come and go, and what they disturb is not lull's doing.
//
//	before, err := steal.Read()
//	…
//	after, err := steal.Read()
//	disturbed := after.Since(before) > steal.Most
package steal

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Most is the share of the CPU that may be taken without a measurement being disturbed.
const Most = 0.02

// Ticks are the machine's CPU counters since boot: the ticks in which the hypervisor gave the CPU to
// another guest, those in which a CPU was idle, and all ticks.
type Ticks struct{ Stolen, Idle, All uint64 }

// Read reads the counters now.
func Read() (Ticks, error) {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return Ticks{}, err
	}
	return parse(string(text))
}

// parse reads the first line of /proc/stat: user, nice, system, idle,
// iowait, irq, softirq, steal; guest time is counted within user.
func parse(text string) (t Ticks, err error) {
	line, _, _ := strings.Cut(text, "\n")
	fields := strings.Fields(line)
	if len(fields) < 9 || fields[0] != "cpu" {
		return t, fmt.Errorf("/proc/stat begins with %q: it should count eight kinds of CPU time", line)
	}
	for i, f := range fields[1:9] {
		n, err := strconv.ParseUint(f, 10, 64)
		if err != nil {
			return t, fmt.Errorf("/proc/stat: %w", err)
		}
		t.All += n
		switch i {
		case 3, 4: // waiting for a disk is idle, too
			t.Idle += n
		case 7:
			t.Stolen = n
		}
	}
	return t, nil
}

// Since is the share of all CPU time that was stolen since an earlier look.
func (t Ticks) Since(past Ticks) float64 {
	if t.All <= past.All || t.Stolen < past.Stolen {
		return 0
	}
	return float64(t.Stolen-past.Stolen) / float64(t.All-past.All)
}

// IdleSince is the share of all CPU time that was idle since an earlier look.
func (t Ticks) IdleSince(past Ticks) float64 {
	if t.All <= past.All || t.Idle < past.Idle {
		return 0
	}
	return float64(t.Idle-past.Idle) / float64(t.All-past.All)
}
