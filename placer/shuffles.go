package placer

import (
	"time"

	"lull/placer/uplink"
	"lull/subjects"
	"lull/subjects/ledger"
)

// shuffles are what tasks fetched between racks, and what that showed of uplinks.
type shuffles struct{ uplink.Links }

// fetched takes in what a task fetched before its process started. It looks at the attempt, which the fold ends.
func (s *shuffles) fetched(state *ledger.State, e *subjects.Finished) {
	a, h := state.Attempt(e.Attempt), state.Host(e.Host)
	if a == nil || h == nil || a.Started == 0 || len(e.Fetched) == 0 || state.Network == nil {
		return
	}
	to := subjects.Rack(h.Joined.Labels)
	all := make([]uplink.Transfer, 0, len(e.Fetched))
	for _, from := range e.Fetched {
		if from.Rack != subjects.OtherRacks {
			all = append(all, uplink.Transfer{From: from.Rack, To: to, Bytes: float64(from.Bytes), Seconds: from.Seconds})
		}
	}
	s.Add(uplink.Stage{Job: e.Job, Stage: e.Stage}, all, time.Unix(0, a.Started))
}

// held takes in how long a task held its slot beside fetching and running. It looks at the attempt, which the fold ends.
func (a *Actor) held(now time.Time, e *subjects.Finished) {
	at := a.state.Attempt(e.Attempt)
	if at == nil || at.Job.Shape.Stages[at.Task.Stage].Publish {
		return
	}
	beside := now.Sub(time.Unix(0, at.Assigned)).Seconds() - e.Seconds - e.Fetching
	a.overheads.Add(at.Job.Shape.Model(int(at.Task.Stage)), max(beside, 0))
}

// over judges the stage of a task that has finished, if all are done.
func (a *Actor) over(now time.Time, e *subjects.Finished) {
	j := a.state.Job(e.Job)
	if j == nil || a.state.Network == nil || int(e.Stage) >= len(j.Stages) || !j.Over(int(e.Stage)) {
		return
	}
	a.shuffles.Over(uplink.Stage{Job: e.Job, Stage: e.Stage}, now, a.declared, a.primaries)
}

// declared is the rate of an uplink that the topology names, 0 for others.
func (a *Actor) declared(link uplink.Link) float64 {
	for i := range a.state.Network.Racks {
		if r := &a.state.Network.Racks[i]; r.Name == link.Rack {
			if link.Up {
				return r.Up
			}
			return r.Down
		}
	}
	return 0
}

// primaries is what the primaries of a rack's hosts move over its uplink.
func (a *Actor) primaries(link uplink.Link) (rate float64) {
	for _, h := range a.state.Hosts() {
		if subjects.Rack(h.Joined.Labels) != link.Rack {
			continue
		}
		if said, fresh := a.hears.of(a.now, h.Name); fresh && link.Up {
			rate += said.Traffic.Out
		} else if fresh {
			rate += said.Traffic.In
		}
	}
	return rate
}

// counts is what an uplink counts for: what it is declared to have, or less if that was learnt.
func (a *Actor) counts(rack string, up bool, declared float64) float64 {
	rate, _ := a.shuffles.Rate(uplink.Link{Rack: rack, Up: up}, declared, a.now)
	return rate
}
