package actor

import (
	"lull/actors"
	"lull/subjects"
)

// decide says what the host owes the log: ends, starts, outputs that vanished, and at last that it
// left. Until it comes back from the log it is owed. What can wait for more to be
// said with it, does.
func (a *Actor) decide() []subjects.Event {
	var events []subjects.Event
	if a.unhurried() {
		return nil
	}
	for _, t := range a.held {
		if len(events) == actors.MaxBatch {
			return events
		}
		if e := a.owed(t); e != nil {
			events = append(events, e)
		}
	}
	events = a.lament(a.lecture(a.tellMissing(events)))
	if a.leaving && !a.left && !a.owes() && len(events) == 0 {
		events = append(events, &subjects.Left{Host: a.cfg.Host, Term: a.term})
	}
	return events
}

// owed is what is still to be said of an attempt, nil for nothing.
func (a *Actor) owed(t *attempt) subjects.Event {
	fact := subjects.Fact{TaskID: t.what, Term: a.term, Attempt: t.id}
	switch {
	case t.phase == ended:
		return a.ending(t, fact)
	case t.running && !t.said:
		return &subjects.Started{Host: a.cfg.Host, Job: t.job, Fact: fact, At: t.at, Residual: a.residual.rate}
	}
	return nil
}

func (a *Actor) ending(t *attempt, fact subjects.Fact) subjects.Event {
	host, end := a.cfg.Host, t.end
	run := end.Run
	run.Residual = t.mean
	switch end.Outcome {
	case Finished:
		return &subjects.Finished{Host: host, Job: t.job, Fact: fact, Run: run, Files: end.Files, Manifest: end.Manifest}
	case Failed:
		return &subjects.Failed{Host: host, Job: t.job, Fact: fact, Run: run,
			Reason: end.Reason, Exit: end.Exit, Text: end.Text, Tail: end.Tail}
	case Evicted:
		return &subjects.Evicted{Host: host, Job: t.job, Fact: fact, Run: run, Reason: end.Reason, Text: t.evictedFor()}
	}
	return &subjects.Declined{Host: host, Job: t.job, Fact: fact, Reason: end.Reason, Text: end.Text}
}

// evictedFor is what else people are to know of an eviction.
func (t *attempt) evictedFor() string {
	if t.end.Reason == t.kill {
		return t.why
	}
	return ""
}
