package hostctl

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// nicRate is the rate of the host's fastest network interface, in bytes/s, as the kernel says it; 0 if it
// says nothing. Where an interface is hardware, others carry the same bytes again and do not count.
func nicRate(root string) float64 {
	folder := filepath.Join(root, "sys", "class", "net")
	all, err := os.ReadDir(folder)
	if err != nil {
		return 0
	}
	hardware, fastest := 0.0, 0.0
	for _, nic := range all {
		if nic.Name() == "lo" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(folder, nic.Name(), "speed"))
		if err != nil { // a link that is down has none
			continue
		}
		megabits, err := strconv.ParseFloat(strings.TrimSpace(string(text)), 64)
		if err != nil || megabits <= 0 {
			continue
		}
		fastest = max(fastest, megabits*1e6/8)
		if _, err := os.Stat(filepath.Join(folder, nic.Name(), "device")); err == nil {
			hardware = max(hardware, megabits*1e6/8)
		}
	}
	if hardware > 0 {
		return hardware
	}
	return fastest
}
