package host

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Busy is the CPU seconds that all processes and the kernel used.
func Busy(name string) (float64, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return 0, err
	}
	return parseBusy(string(text))
}

// parseBusy reads the first line of /proc/stat: all of user, nice, system,
// idle, iowait, irq and softirq but idle and iowait, in hundredths of a second.
func parseBusy(text string) (float64, error) {
	line, _, _ := strings.Cut(text, "\n")
	fields := strings.Fields(line)
	if len(fields) < 8 || fields[0] != "cpu" {
		return 0, fmt.Errorf("/proc/stat begins with %q: it should count seven kinds of CPU time", line)
	}
	sum := uint64(0)
	for i, f := range fields[1:8] {
		n, err := strconv.ParseUint(f, 10, 64)
		if err != nil {
			return 0, fmt.Errorf("/proc/stat: %w", err)
		}
		if i != 3 && i != 4 {
			sum += n
		}
	}
	return float64(sum) / 100, nil // USER_HZ is 100 on Linux
}
