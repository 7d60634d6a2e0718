package cgroup

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// mount is one cgroup hierarchy as mountinfo shows it.
type mount struct {
	point   string
	version int // 1 or 2
}

// parseMounts finds the cgroup hierarchies in a mountinfo file, see
// proc_pid_mountinfo(5). A hierarchy that is mounted twice counts once.
func parseMounts(r io.Reader) ([]mount, error) {
	var mounts []mount
	seen := map[string]bool{}
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		left, right, ok := strings.Cut(lines.Text(), " - ")
		if !ok {
			continue
		}
		m, device, ok := parseMount(strings.Fields(left), strings.Fields(right))
		if ok && !seen[device] {
			seen[device] = true
			mounts = append(mounts, m)
		}
	}
	return mounts, lines.Err()
}

// parseMount reads the fields before and after the separator of one line.
func parseMount(left, right []string) (m mount, device string, ok bool) {
	if len(left) < 5 || len(right) < 1 {
		return m, "", false
	}
	versions := map[string]int{"cgroup": 1, "cgroup2": 2}
	m = mount{point: unescape(left[4]), version: versions[right[0]]}
	return m, left[2], m.version != 0
}

// unescape undoes mountinfo's octal escapes of space, tab, newline and backslash.
var unescape = strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`).Replace

// parsePIDs reads cgroup.procs. A 0 stands for a process of another PID
// namespace, which cannot be signalled from here: it is left out.
func parsePIDs(r io.Reader) ([]int, error) {
	var pids []int
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		pid, err := strconv.Atoi(lines.Text())
		if err != nil {
			return nil, fmt.Errorf("not a process id: %q", lines.Text())
		}
		if pid > 0 {
			pids = append(pids, pid)
		}
	}
	return pids, lines.Err()
}

// parseKeyed finds a key's number in a file of "key number" lines, such as
// cpu.stat, cgroup.events, memory.events and memory.oom_control.
func parseKeyed(r io.Reader, key string) (uint64, error) {
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		name, value, ok := strings.Cut(lines.Text(), " ")
		if ok && name == key {
			return strconv.ParseUint(strings.TrimSpace(value), 10, 64)
		}
	}
	if err := lines.Err(); err != nil {
		return 0, err
	}
	return 0, fmt.Errorf("no line %q", key)
}

// parseNumber reads a file that holds one number.
func parseNumber(r io.Reader) (uint64, error) {
	b, err := io.ReadAll(io.LimitReader(r, 64))
	if err != nil {
		return 0, err
	}
	return strconv.ParseUint(strings.TrimSpace(string(b)), 10, 64)
}
