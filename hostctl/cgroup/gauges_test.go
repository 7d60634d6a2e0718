package cgroup

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What the gauges read is what Usage and Pressure read.
func TestGaugesTellWhatUsageAndPressureTell(t *testing.T) {
	for name, h := range map[string]host{"v1": v1Host(), "v2": v2Host(), "hybrid": hybridHost(), "none": noCgroups()} {
		tree, _, _ := opened(t, h)
		g := tree.Gauges()
		cpu, memory, err := tree.Usage()
		mustDo(t, err)
		for range 2 { // anew, and from a file that is open
			seconds, err := g.CPU()
			bytes, err2 := g.Memory()
			if seconds != cpu || bytes != memory || err != nil || err2 != nil {
				t.Errorf("%s: %v s and %d bytes (%v, %v), want %v and %d", name, seconds, bytes, err, err2, cpu, memory)
			}
			stall, err := tree.Pressure("cpu")
			if got, err2 := g.Stalled("cpu"); got != float64(stall.Some.Total)/1e6 || errors.Is(err, ErrAbsent) != errors.Is(err2, ErrAbsent) {
				t.Errorf("%s: stalled %v s (%v), want %d µs (%v)", name, got, err2, stall.Some.Total, err)
			}
		}
		g.Close()
		g.Close() // is of no harm
	}
}

func TestGaugesOpenAFileThatWasMadeAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "n")
	h := newOpenFile(dir(filepath.Dir(path)), "n")
	defer h.close()
	if _, err := h.number(""); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("number of a file that is not there = %v, want ErrNotExist", err)
	}
	for _, text := range []string{"7\n", "8\n"} {
		mustDo(t, os.WriteFile(path, []byte(text), 0o600))
		if n, err := h.number(""); err != nil || n != uint64(text[0]-'0') {
			t.Errorf("number(%q) = %d, %v, want its first digit", text, n, err)
		}
	}
}

func TestNumberIn(t *testing.T) {
	for _, c := range []struct {
		text, key string
		want      uint64
		ok        bool
	}{
		{"MemTotal:  8000 kB\nMemAvailable:    3000 kB\n", "MemAvailable:", 3000, true},
		{"some avg10=1.50 total=42\nfull avg10=0.00 total=7\n", "total=", 42, true},
		{"123", "", 123, true}, {"MemTotal: 1 kB\n", "MemAvailable:", 0, false}, {"MemAvailable: x", "MemAvailable:", 0, false},
		{"-3", "", 0, false}, {"", "", 0, false}, {"99999999999999999999", "", 0, false},
	} {
		if n, err := numberIn([]byte(c.text), c.key); (err == nil) != c.ok || c.ok && n != c.want {
			t.Errorf("numberIn(%q, %q) = %d, %v, want %d, no error: %v", c.text, c.key, n, err, c.want, c.ok)
		}
	}
}

func TestMembersAreTheTasksProcesses(t *testing.T) {
	for name, h := range map[string]host{"v1": v1Host(), "v2": v2Host(), "hybrid": hybridHost(), "none": noCgroups()} {
		_, slot, _ := opened(t, h)
		groups := slot.dirs()
		few, many := "7\n0\n8\n", strings.Repeat("123456\n", 500)
		for text, want := range map[string]int{few: 2, many: 500} {
			if len(groups) == 0 {
				want = 0
			} else {
				mustDo(t, os.WriteFile(string(groups[0].sub("cgroup.procs")), []byte(text), 0o600))
			}
			if pids, err := slot.Members(); len(pids) != want || err != nil {
				t.Errorf("%s: %d processes, %v; want %d", name, len(pids), err, want)
			}
		}
	}
}
