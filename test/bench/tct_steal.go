package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// ticks are the machine's CPU counters: those in which the hypervisor gave the
// CPU to another guest, and all.
type ticks struct{ stolen, all uint64 }

func readTicks(name string) (ticks, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return ticks{}, err
	}
	return parseTicks(string(text))
}

// parseTicks reads the first line of /proc/stat: user, nice, system, idle,
// iowait, irq, softirq, steal; guest time is counted within user.
func parseTicks(text string) (t ticks, err error) {
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
		if t.all += n; i == 7 {
			t.stolen = n
		}
	}
	return t, nil
}

// stolenSince is the share of all CPU time that was stolen.
func (t ticks) stolenSince(past ticks) float64 {
	if t.all <= past.all || t.stolen < past.stolen {
		return 0
	}
	return float64(t.stolen-past.stolen) / float64(t.all-past.all)
}
