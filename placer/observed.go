package placer

import (
	"errors"
	"time"

	"lull/placer/overhead"
	"lull/placer/uplink"
	"lull/subjects"
	"lull/subjects/ledger"
)

// observed is what follows from finished tasks: what uplinks give, and for how long tasks occupy slots
// besides fetching and running.
type observed struct {
	uplinks   uplink.Links
	overheads overhead.Tasks
}

// note adds a task that finished at now. Call it before the fold, which removes the attempt.
func (s *observed) note(now time.Time, state *ledger.State, e *subjects.Finished) {
	at := state.Attempt(e.Attempt)
	if at == nil || at.Job.Shape.Stages[at.Task.Stage].Publish {
		return
	}
	beside := now.Sub(time.Unix(0, at.Assigned)).Seconds() - e.Seconds - e.Fetching
	s.overheads.Add(at.Job.Shape.Model(int(at.Task.Stage)), max(beside, 0))
	if h := state.Host(e.Host); h != nil && at.Started != 0 && state.Network != nil {
		stage := uplink.Stage{Job: e.Job, Stage: e.Stage}
		s.uplinks.Add(stage, transfers(&e.Fetch, subjects.Rack(h.Joined.Labels)), time.Unix(0, at.Started), declaredIn(state.Network))
	}
}

func transfers(f *subjects.Fetch, to string) []uplink.Transfer {
	all := make([]uplink.Transfer, 0, len(f.Fetched))
	for _, from := range f.Fetched {
		if from.Rack != subjects.OtherRacks {
			all = append(all, uplink.Transfer{From: from.Rack, To: to, Bytes: float64(from.Bytes), Seconds: from.Seconds})
		}
	}
	return all
}

// judgeStage learns from the stage of a task that has finished, if all of the stage's tasks are done.
func (s *observed) judgeStage(now time.Time, state *ledger.State, use *usages, e *subjects.Finished) {
	j := state.Job(e.Job)
	if j == nil || state.Network == nil || int(e.Stage) >= len(j.Stages) || !j.Over(int(e.Stage)) {
		return
	}
	s.uplinks.JudgeStage(uplink.Stage{Job: e.Job, Stage: e.Stage}, now,
		declaredIn(state.Network),
		func(link uplink.Link) float64 { return use.primaryTraffic(now, state, link) })
}

// declaredIn returns the rate of each uplink that the topology names, 0 for others.
func declaredIn(n *ledger.Network) func(uplink.Link) float64 {
	return func(link uplink.Link) float64 {
		for i := range n.Racks {
			if r := &n.Racks[i]; r.Name == link.Rack {
				if link.Up {
					return r.Up
				}
				return r.Down
			}
		}
		return 0
	}
}

// primaryTraffic is how many bytes a second the primaries of a rack's hosts move over its uplink.
func (s *usages) primaryTraffic(now time.Time, state *ledger.State, link uplink.Link) (rate float64) {
	for _, h := range state.Hosts() {
		if subjects.Rack(h.Joined.Labels) != link.Rack {
			continue
		}
		if usage, fresh := s.of(now, h.Name); fresh && link.Up {
			rate += usage.Traffic.Out
		} else if fresh {
			rate += usage.Traffic.In
		}
	}
	return rate
}

// restore takes over what a snapshot holds.
func (s *observed) restore(form *own) error {
	return errors.Join(s.uplinks.Load(form.Uplinks), s.overheads.Load(form.Overheads))
}
