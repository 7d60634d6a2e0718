package tct

import (
	"lull/client"
	"lull/slotter/fit"
	"lull/subjects"
	"lull/subjects/ledger"
)

// sample is one task that finished.
type sample struct {
	fit.Sample
	round int
}

// record is what the log has of tasks.
type record struct {
	assigned map[uint64]promise // by attempt
	current  map[string][]sample
	kept     map[string][]sample // by type, of the rounds that count
	live     map[string]*subjects.Fitted
	class    string // how the primary is protected
}

// promise is what was known when a task was assigned.
type promise struct {
	kind     string
	known    float64
	expected float64 // seconds, 0 while there was no model
}

func newRecord() record {
	return record{
		map[uint64]promise{}, map[string][]sample{}, map[string][]sample{}, map[string]*subjects.Fitted{}, "",
	}
}

// see takes an entry of the log, which was folded into state.
func (r *record) see(e client.Entry, state *ledger.State) {
	switch event := e.Event.(type) {
	case *subjects.Fitted:
		r.live[event.Type] = event
	case *subjects.Assigned:
		r.promised(e.Seq, event, state)
	case *subjects.Finished:
		if p, ok := r.assigned[event.Attempt]; ok && e.Change.Outcome == ledger.Committed {
			r.took(p, event)
		}
	}
}

func (r *record) promised(seq uint64, e *subjects.Assigned, state *ledger.State) {
	job := state.Job(e.Job)
	if job == nil {
		return
	}
	p := promise{kind: job.Shape.Model(int(e.Stage)), known: e.Why.Residual}
	if state.Model(p.kind) != nil {
		p.expected = e.Why.Expected
	}
	r.assigned[seq] = p
}

func (r *record) took(p promise, e *subjects.Finished) {
	delete(r.assigned, e.Attempt)
	r.current[p.kind] = append(r.current[p.kind], sample{
		Sample: fit.Sample{
			Residual: e.Residual, Known: p.known, Seconds: e.Seconds,
			Bytes: float64(e.In), Expected: p.expected, Read: e.Read,
		},
	})
}

// close ends a round: its samples are kept if it counts.
func (c *campaign) close(r round) {
	known, n := 0.0, 0
	for _, k := range c.kinds {
		for _, s := range c.current[k.name] {
			known, n = known+s.Known, n+1
			if s.round = len(c.all); r.why == "" {
				c.kept[k.name] = append(c.kept[k.name], s)
			}
		}
	}
	clear(c.current)
	r.residual = known / float64(max(n, 1))
	c.all = append(c.all, r)
}
