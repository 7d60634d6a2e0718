package shim

import (
	"fmt"
	"os"
	"os/exec"
	"testing"

	"lull/actors/account"
)

// What keeps tasks of different slots from each other: users of their own, or for all but limits the
// fence; with neither, nothing does.
func TestTasksOfOtherSlotsAreStrangers(t *testing.T) {
	needsRoot(t)
	if _, err := exec.LookPath("prlimit"); err != nil {
		t.Skip("needs prlimit")
	}
	mine, others := account.User{UID: 64998, GID: 64998}, account.User{UID: 64997, GID: 64997}
	for _, c := range []struct {
		name     string
		other    account.User
		unfenced bool
		want     string
	}{
		{"fence", mine, false, "limits\n"},
		{"users", others, true, ""},
		{"neither", mine, true, "signals\ntraces\nlimits\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if !c.unfenced {
				needsLandlock(t, 6)
			}
			cfg, neighbour := testConfig(t), testConfig(t)
			mineShim, other := launch(t, cfg), launch(t, neighbour)
			victim := bounded(t, neighbour, 1, c.other, `exec sleep 1000`)
			victim.Bounds.Unfenced = c.unfenced
			if err := other.Start(victim); err != nil {
				t.Fatal(err)
			}
			pid := next[*Started](t, other).PID
			// A process that may read another's environment may trace it (ptrace(2)).
			task := bounded(t, cfg, 1, mine, fmt.Sprintf(
				`kill -0 %[1]d 2>/dev/null && echo signals; cat /proc/%[1]d/environ > /dev/null 2>&1 && echo traces
				prlimit --pid %[1]d --nofile=999:999 2>/dev/null && echo limits; exit 0`, pid))
			task.Bounds.Unfenced = c.unfenced
			if e := run(t, mineShim, task); e.Status != 0 {
				t.Fatalf("end = %+v, want status 0", e)
			}
			got, _ := readIf(task.Stdout)
			if got != c.want {
				t.Errorf("a task of another slot %q, want %q", got, c.want)
			}
		})
	}
}

func TestFileSizeIsBounded(t *testing.T) {
	cfg := testConfig(t)
	cfg.FileSize = 1 << 20
	c := launch(t, cfg)
	e := run(t, c, shell(cfg, 1, `ulimit -Hf; ulimit -f unlimited 2>/dev/null && echo raised; exec head -c 2M /dev/zero > big`))
	if e.Status != -25 { // SIGXFSZ
		t.Errorf("end = %+v, want status -25, SIGXFSZ", e)
	}
	if got := read(t, cfg.Dir, "stdout"); got != "2048\n" { // of 512 bytes
		t.Errorf("limit of file sizes = %q, want 2048", got)
	}
}

// readIf reads a file that need not be there.
func readIf(path string) (string, error) {
	b, err := os.ReadFile(path)
	return string(b), err
}
