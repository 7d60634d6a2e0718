package sim

import (
	"fmt"
	"testing"
	"time"

	"lull/admission"
	"lull/slotter"
	"lull/subjects"
	"lull/subjects/spec"
)

// batch is a job of tasks that read 100 MB each.
func batch(kind, queue string, n uint32, seconds float64) spec.Job {
	j := work(kind, n)
	j.Type, j.Queue = kind, queue
	j.Stages[0].Bytes, j.Stages[0].Estimate = 100e6, time.Duration(seconds*1e9)
	return j
}

// contest is a nightly job of five-minute tasks. A job with a claim comes in its second wave.
func contest(mode string, slots, tasks uint32, claimant spec.Job) Scenario {
	s := Scenario{
		Seed: 1, Types: []Truth{flat("night", 300), flat("day", 60)},
		Queues:    []subjects.Shared{{Queue: "reports", Weight: 1}},
		Jobs:      []Job{{At: time.Minute, Spec: batch("night", "nightly", tasks, 300)}, {At: 8 * time.Minute, Spec: claimant}},
		Slotter:   slotter.Config{Policy: "mp", Preempt: mode},
		Admission: admission.Config{Mode: "all"},
	}
	for i := range 4 {
		s.Hosts = append(s.Hosts, Host{Name: fmt.Sprint("h", i), Cores: 2, Slots: slots / 4})
	}
	return s
}

func urgent(j spec.Job, within time.Duration) spec.Job {
	j.DeadlineIn = within
	return j
}

// contested is what a mode of preemption made of a contest.
type contested struct {
	wait, done, night time.Duration // the claimant's first start and end, the other's end
	evicted           int
	lost              float64 // core-seconds
	inTime            bool
}

func contend(t *testing.T, s Scenario) (c contested) {
	t.Helper()
	r := finish(t, s)
	night, day := r.Jobs[0], r.Jobs[1]
	c = contested{wait: day.Started - day.Submitted, done: day.Ended - day.Submitted, night: night.Ended - night.Submitted,
		inTime: day.Deadline != 0 && day.Ended <= day.Deadline}
	for _, run := range r.Runs {
		if run.Outcome == "evicted" {
			c.evicted++
			c.lost += run.CPU
		}
	}
	return c
}

// What each mode of preemption costs and gains: go test ./sim -run Preempt -v prints
// the table.
func TestModesOfPreemption(t *testing.T) {
	for _, c := range []struct {
		name         string
		slots, tasks uint32
		claimant     spec.Job
		holds        func(throttle, kill, none contested) bool
	}{
		// Eight cores, sixteen slots of which the night holds twelve: a rate is enough.
		{"a share of the cores", 16, 12, batch("day", "reports", 4, 60), func(throttle, kill, none contested) bool {
			return throttle.done < none.done*19/20 && throttle.evicted == 0 && kill == throttle
		}},
		// Eight slots, all held: only an end frees one.
		{"a share of the slots", 8, 24, batch("day", "reports", 8, 60), func(throttle, kill, none contested) bool {
			return throttle == none && kill.wait < 12*time.Second && none.wait > 2*time.Minute && kill.evicted == 4
		}},
		{"a deadline in the same queue", 8, 24, urgent(batch("day", "nightly", 12, 60), 4*time.Minute), func(throttle, kill, none contested) bool {
			return throttle == none && !none.inTime && kill.inTime && kill.evicted <= 4
		}},
	} {
		var all []contested
		text := ""
		for _, mode := range []string{slotter.PreemptThrottle, slotter.PreemptKill, slotter.PreemptNone} {
			one := contend(t, contest(mode, c.slots, c.tasks, c.claimant))
			all = append(all, one)
			text += fmt.Sprintf("\n%-8s waits %5.1f s, done after %5.1f s; the night takes %4.0f s, %d evicted, %4.0f core-seconds lost",
				mode, one.wait.Seconds(), one.done.Seconds(), one.night.Seconds(), one.evicted, one.lost)
		}
		t.Logf("%s:%s", c.name, text)
		if !c.holds(all[0], all[1], all[2]) {
			t.Errorf("holds(%+v, %+v, %+v) of %q = false, want true", all[0], all[1], all[2], c.name)
		}
	}
}

// An eviction costs no retry: the night's tasks have none, are evicted again and
// again, and end well.
func TestMakingWayCostsNoRetry(t *testing.T) {
	s := contest(slotter.PreemptKill, 8, 24, batch("day", "reports", 4, 60))
	s.Jobs[0].Spec.Stages[0].Retries = 0
	for i := range 5 {
		s.Jobs = append(s.Jobs, Job{At: time.Duration(10+2*i) * time.Minute, Spec: batch("day", "reports", 4, 60)})
	}
	evicted := 0
	s.Watch = func(_ time.Duration, _ uint64, e subjects.Event) {
		if e, ok := e.(*subjects.Evicted); ok && e.Reason == subjects.ReasonPreempted {
			evicted++
		}
	}
	finish(t, s)
	if evicted < 8 {
		t.Errorf("attempts preempted for six jobs = %d, want at least 8", evicted)
	}
}

// The same seed gives the same log, whichever job makes way.
func TestPreemptionIsReplayed(t *testing.T) {
	for _, mode := range []string{slotter.PreemptKill, slotter.PreemptNone} {
		var first [32]byte
		for i := range 2 {
			r := finish(t, contest(mode, 16, 24, batch("day", "reports", 8, 60)))
			if i == 1 && r.Digest != first {
				t.Errorf("digests of two runs with preemption %s = %x, %x, want the same", mode, first, r.Digest)
			}
			first = r.Digest
		}
	}
}
