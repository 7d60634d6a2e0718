package hostile

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lull/hostctl/hostctltest"
	"lull/hostctl/measure"
	"lull/subjects"
)

const (
	// watched is how long the primary is watched, alone and beside.
	watched = 400 * time.Millisecond
	// A primary's p99 may be the p99 of the primary alone in the same second times factor, plus slack in
	// seconds. That is wide, because a machine that also runs other tests has tails of its own. It is
	// narrow compared with the effect of a task without bounds (hundreds of ms).
	factor, slack = 3.0, 0.010
	// saturated is the p99 alone, in seconds, from which on other processes must want every core. The idle
	// class gets no CPU then, not even to end.
	saturated = 0.1
	// tries is how often the primary is compared, at most. Effects of other load pass; those of a hostile
	// task come again.
	tries = 6
)

func TestHostileTasks(t *testing.T) {
	w := newWorld(t)
	primary := measure.NewPrimary(2, 0.2, 1)
	for n, task := range tasks {
		t.Run(task.name, func(t *testing.T) {
			w.T = t
			for try := range tries {
				if w.compare(primary, fmt.Sprintf("hostile-%d-%d-%d", os.Getpid(), n, try), task) {
					return
				}
			}
			t.Errorf("the primary's p99 was above ×%v + %v ms of its p99 alone in each of %d tries, want it below in one", factor, 1000*slack, tries)
		})
	}
}

// compare watches the primary alone, beside a hostile job and while that is ended, and
// reports whether the primary stayed within its band.
func (w *world) compare(primary *measure.Primary, job string, task task) bool {
	w.T.Helper()
	alone := measure.Summary(primary.Serve(w.T.Context(), watched, 0))
	if alone.P99 > saturated {
		w.T.Skipf("needs a machine with CPU to spare: the primary's p99 alone is %.0f ms", 1000*alone.P99)
	}
	w.cpu = 0
	attempts := w.unleash(job, task)
	beside := measure.Summary(primary.Serve(w.T.Context(), watched, 0))
	dying := make(chan measure.Latency, 1)
	go func() { dying <- measure.Summary(primary.Serve(w.T.Context(), watched, 0)) }()
	begin := time.Now()
	w.end(job, attempts)
	took := time.Since(begin)
	during := <-dying
	w.nothingLeft(job)
	most := factor*alone.P99 + slack
	w.T.Logf("p99 alone %.2f ms, beside %.2f ms, while it ends %.2f ms, at most %.2f ms; it used %.2f s of CPU and ended in %v",
		1000*alone.P99, 1000*beside.P99, 1000*during.P99, 1000*most, w.cpu, took.Round(time.Millisecond))
	return alone.Requests > 0 && beside.Requests > 0 && max(beside.P99, during.P99) <= most
}

// unleash gives every slot a task of the job, and waits until all have begun, or
// have ended already.
func (w *world) unleash(job string, task task) map[uint64]bool {
	w.T.Helper()
	w.submit(job, task)
	attempts := map[uint64]bool{} // whether it has ended
	for n := range uint32(slots) {
		attempts[w.assign(job, n)] = false
	}
	begun := map[uint64]bool{}
	hostctltest.Next(w.World, func(e subjects.Event) bool {
		switch e := e.(type) {
		case *subjects.Started:
			begun[e.Attempt] = true
		case *subjects.Declined:
			w.again(e, attempts)
		}
		if id, ok := w.ended(e, attempts); ok {
			begun[id] = true
		}
		return len(begun) >= slots
	})
	return attempts
}

// assign gives the job's task n to slot n.
func (w *world) assign(job string, n uint32) (attempt uint64) {
	return w.Assign("hostile", w.term, job, 0, n, n)
}

// again assigns a task that the agent declined because the disk was full a moment ago. The agent checks
// the disk once a second.
func (w *world) again(e *subjects.Declined, attempts map[uint64]bool) {
	w.T.Helper()
	if e.Reason != subjects.ReasonDisk {
		w.T.Fatalf("attempt declined for %s, want %s or none", e.Reason, subjects.ReasonDisk)
	}
	<-time.After(50 * time.Millisecond) // paces the repeats: the agent logs an event for each
	delete(attempts, e.Attempt)
	attempts[w.assign(e.Job, e.Task)] = false
}

// ended notes the end of an attempt and what it used, and returns the attempt.
func (w *world) ended(e subjects.Event, attempts map[uint64]bool) (id uint64, ok bool) {
	var run subjects.Run
	switch e := e.(type) {
	case *subjects.Finished:
		id, run = e.Attempt, e.Run
	case *subjects.Failed:
		id, run = e.Attempt, e.Run
	case *subjects.Evicted:
		id, run = e.Attempt, e.Run
	}
	done, known := attempts[id]
	if known {
		attempts[id] = true
		w.cpu += run.CPU
	}
	return id, known && !done
}

// end takes the tasks back, and waits until the agent says that all are gone.
func (w *world) end(job string, attempts map[uint64]bool) {
	w.T.Helper()
	left := 0
	for id, done := range attempts {
		if !done {
			w.Append(&subjects.Revoked{Host: "hostile", Job: job, Attempt: id})
			left++
		}
	}
	if left > 0 {
		hostctltest.Next(w.World, func(e subjects.Event) bool {
			if _, ok := w.ended(e, attempts); ok {
				left--
			}
			return left <= 0
		})
	}
}

// nothingLeft looks for processes of the job.
func (w *world) nothingLeft(job string) {
	w.T.Helper()
	if left := processes("LULL_JOB=" + job + "\x00"); len(left) > 0 {
		w.T.Errorf("processes of %s = %q, want none", job, left)
	}
}

// processes lists those that have a variable in their environment, wherever they
// moved to, with their states.
func processes(variable string) (found []string) {
	all, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, path := range all {
		if b, err := os.ReadFile(path); err != nil || !bytes.Contains(b, []byte(variable)) {
			continue
		}
		stat, _ := os.ReadFile(strings.TrimSuffix(path, "environ") + "stat")
		found = append(found, string(stat[:min(len(stat), 40)]))
	}
	return found
}
