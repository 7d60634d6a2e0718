package shim

import (
	"strconv"
	"strings"
	"testing"
)

// A shim stands beside every slot for as long as the host is up.
func TestShimIsSmall(t *testing.T) {
	cfg := testConfig(t)
	c := launch(t, cfg)
	for attempt := range uint64(200) {
		run(t, c, shell(cfg, attempt+1, `echo x`))
		if err := c.Ack(attempt + 1); err != nil {
			t.Fatal(err)
		}
	}
	const bound = 8 << 10 // KiB; the program's pages are shared by all shims
	if kib := status(t, c.PID(), "RssAnon"); kib > bound {
		t.Errorf("RssAnon = %d KiB, want at most %d", kib, bound)
	}
	t.Logf("%d KiB of its own, %d with the program's", status(t, c.PID(), "RssAnon"), status(t, c.PID(), "VmRSS"))
}

// status reads a number of KiB from a process's status file.
func status(t *testing.T, pid int, key string) int {
	t.Helper()
	for line := range strings.Lines(read(t, "/proc", strconv.Itoa(pid), "status")) {
		if rest, ok := strings.CutPrefix(line, key+":"); ok {
			n, err := strconv.Atoi(strings.Fields(rest)[0])
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
	}
	t.Fatalf("%s is missing, want its value", key)
	return 0
}
