package hostctl

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"lull/hostctl/cgroup"
	"lull/subjects"
	"lull/subjects/spec"
)

// An agent may die while its pool cannot be reached. The next one puts right what was left
// before it knows anything of the log.
func TestRecoverNeedsNoPool(t *testing.T) {
	w := serveWorld(t)
	data := t.TempDir()
	first, term := w.process(data)
	w.Submit("job", spec.Stage{Argv: sh("sleep 60")})
	w.Assign("alpha", term, "job", 0, 0, 0)
	next[*subjects.Started](w.world, nil)
	cfg := Config{Host: "alpha", Data: data}
	check(t, Recover(cfg, "test")) // does nothing: an agent works there
	crash(t, first)
	files := leaveBehind(t, data)
	check(t, Recover(cfg, "test"))
	for path, neutral := range files {
		if got := strings.TrimSpace(read(t, path)); got != neutral && !isClass(path) {
			t.Errorf("%s is %q, want %q", path, got, neutral)
		}
	}
	eventually(t, "all is neutral again", func() bool { return allHold(t, files) })
	second, _ := w.process(data)
	leave(t, second)
}

func TestRecoverLeavesOthersAlone(t *testing.T) {
	data := filepath.Join(t.TempDir(), "d")
	check(t, Recover(Config{Host: "alpha", Data: data}, "test"))
	if _, err := os.Stat(data); err == nil {
		t.Errorf("Recover made %s, want no folder", data)
	}
}

// At whatever moment an agent dies, the next agent reports one end for each assigned attempt, and
// none of their processes remain.
func TestKilledWhileATaskBeginsOrEnds(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	for _, ending := range []bool{false, true} {
		t.Run(map[bool]string{false: "begins", true: "ends"}[ending], func(t *testing.T) {
			w := serveWorld(t)
			data := t.TempDir()
			w.Submit("job", spec.Stage{Argv: sh(`trap "" TERM; while :; do sleep 0.1; done`)})
			for range 3 {
				w.dieAndCome(data, ending, time.Duration(r.IntN(40))*time.Millisecond)
			}
		})
	}
}

// dieAndCome kills an agent this long after it began to start a task, or to end one, and waits for
// the reports of the next agent.
func (w *served) dieAndCome(data string, ending bool, after time.Duration) {
	w.T.Helper()
	first, term := w.process(data)
	id := w.Assign("alpha", term, "job", 0, 0, 0)
	if ending {
		next[*subjects.Started](w.world, nil)
		w.Append(&subjects.Revoked{Host: "alpha", Job: "job", Attempt: id})
	}
	<-time.After(after) // the moment of the crash, which the tests vary
	crash(w.T, first)
	second, _ := w.process(data)
	w.Append(&subjects.Revoked{Host: "alpha", Job: "job", Attempt: id})
	over := func(e subjects.Event) bool {
		ended, ok := e.(*subjects.Evicted)
		return ok && ended.Attempt == id
	}
	if !slices.ContainsFunc(w.Events, over) { // the first one may have had the time
		next(w.world, over)
	}
	eventually(w.T, "nothing of the attempt is left", func() bool {
		return len(processesWith(fmt.Sprintf("LULL_ATTEMPT_ID=%d\x00", id), data)) == 0
	})
	leave(w.T, second)
}

// processesWith lists processes that have a variable and this test's folder in their environment.
// Other tests may run attempts with the same number.
func processesWith(variable, folder string) (found []string) {
	all, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, path := range all {
		if b, err := os.ReadFile(path); err == nil && strings.Contains(string(b), variable) && strings.Contains(string(b), folder) {
			found = append(found, path)
		}
	}
	return found
}

// A task whose shim and socket are gone has no owner. The next agent kills it.
func TestATaskWithoutAShimIsKilled(t *testing.T) {
	w := serveWorld(t)
	data := t.TempDir()
	first, term := w.process(data)
	w.Submit("job", spec.Stage{Argv: sh("sleep 60")})
	id := w.Assign("alpha", term, "job", 0, 0, 0)
	next[*subjects.Started](w.world, nil)
	variable := fmt.Sprintf("LULL_ATTEMPT_ID=%d\x00", id)
	if caps, err := cgroup.Detect("/"); err != nil || len(caps.Lines()) == 0 || !caps.Freeze.OK() {
		t.Skip("needs cgroups")
	}
	crash(t, first)
	for _, path := range shimsOf(t, data) {
		killPID(t, path)
	}
	check(t, os.Remove(filepath.Join(data, "test", "slot-0", "shim.sock")))
	if len(processesWith(variable, data)) == 0 {
		t.Fatal("processes of the task = none, want it to survive its agent")
	}
	second, _ := w.process(data)
	if left := processesWith(variable, data); len(left) > 0 {
		t.Errorf("processes left = %q, want none", left)
	}
	leave(t, second)
}

// shimsOf are the shims that work in a data folder.
func shimsOf(t *testing.T, data string) (pids []int) {
	t.Helper()
	all, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, path := range all {
		b, err := os.ReadFile(path)
		if err != nil || !strings.Contains(string(b), "\x00shim\x00") || !strings.Contains(string(b), data) {
			continue
		}
		var pid int
		if _, err := fmt.Sscanf(path, "/proc/%d/", &pid); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}
