package attempts

import (
	"testing"
	"time"

	"lull/hostctl/actor"
	"lull/hostctl/disk"
	"lull/hostctl/shim"
	"lull/subjects"
	"lull/subjects/spec"
)

// roomy is a disk with room.
type roomy struct{}

func (roomy) Exhausted() bool                              { return false }
func (roomy) Blame(disk.Task, disk.Attempt) (string, bool) { return "", false }

// The agent empties the slot of a task that is to end at once. If its shim had no CPU meanwhile, it
// reports a process that was killed, and not the order. That costs the task no retry: it was evicted.
func TestATaskThatTheAgentEndedHasNotFailed(t *testing.T) {
	for _, c := range []struct {
		exit  shim.Exited
		asked bool
		want  actor.Outcome
	}{
		{shim.Exited{Reason: subjects.ReasonSignal, Status: -9}, true, actor.Evicted},
		{shim.Exited{Reason: subjects.ReasonExit, Status: 137}, true, actor.Evicted}, // a shell that lost its command
		{shim.Exited{Reason: subjects.ReasonInput}, true, actor.Evicted},
		{shim.Exited{Reason: shim.ReasonKilled}, true, actor.Evicted},
		{shim.Exited{Reason: subjects.ReasonMemory, Status: -9}, true, actor.Failed},
		{shim.Exited{Reason: subjects.ReasonTimeout, Status: -9}, true, actor.Failed},
		{shim.Exited{Reason: subjects.ReasonSignal, Status: -9}, false, actor.Failed},
	} {
		a := newRunner(t, Config{Report: func(any) {}, Pacer: unpaced{}, Grace: time.Second, Disk: roomy{}})
		r, _ := a.claim(actor.Task{Attempt: 1, Job: "job"})
		x := a.execution(r)
		x.doc = &subjects.Submitted{Spec: spec.Job{Stages: []spec.Stage{{Name: "map"}}}}
		if c.asked {
			x.evict(subjects.ReasonReserve, actor.Patient)
			x.endTask()
		}
		end := actor.Ended{Attempt: 1, Outcome: actor.Evicted, Reason: subjects.ReasonVanished}
		x.applyExit(&c.exit, &end)
		if end.Outcome != c.want || c.want == actor.Evicted && end.Reason != subjects.ReasonReserve {
			t.Errorf("%+v, asked to end: %v: outcome %d, reason %s, want outcome %d", c.exit, c.asked, end.Outcome, end.Reason, c.want)
		}
	}
}
