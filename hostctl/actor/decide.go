package actor

import (
	"lull/actors"
	"lull/subjects"
)

// decide returns the events that the host owes the log: ends, starts, missing
// outputs, identified models, harm, and at last Left. Each is owed until it comes
// back from the log.
func (a *Actor) decide() []subjects.Event {
	var events []subjects.Event
	if a.mayDelay() {
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
	events = a.missing.appendOwed(events)
	events = a.models.appendOwed(events)
	events = a.harm.appendOwed(events)
	if a.leaving && !a.left && !a.owesEnds() && len(events) == 0 {
		events = append(events, &subjects.Left{Host: a.cfg.Host, Term: a.term})
	}
	return events
}

// owed is the event of an attempt that the log lacks, nil for none.
func (f *facts) owed(t *attempt) subjects.Event {
	fact := subjects.Fact{TaskID: t.taskID, Term: f.term, Attempt: t.id}
	switch {
	case t.phase == ended:
		return t.endEvent(f.cfg.Host, fact)
	case t.running && !t.startLogged && !t.settled:
		return &subjects.Started{Host: f.cfg.Host, Job: t.job, Fact: fact, At: t.processStart, Residual: f.residual.currentResidual(t.cores())}
	}
	return nil
}

func (t *attempt) endEvent(host string, fact subjects.Fact) subjects.Event {
	end := t.outcome
	run := end.Run
	run.Residual = t.meanResidual
	switch end.Outcome {
	case Finished:
		return &subjects.Finished{Host: host, Job: t.job, Fact: fact, Run: run, Files: end.Files, Manifest: end.Manifest, Fetch: end.Fetch, Text: end.Text}
	case Failed:
		return &subjects.Failed{Host: host, Job: t.job, Fact: fact, Run: run,
			Reason: end.Reason, Exit: end.Exit, Text: end.Text, Tail: end.Tail, Final: end.Final, Again: end.Again, Label: end.Label}
	case Evicted:
		return &subjects.Evicted{Host: host, Job: t.job, Fact: fact, Run: run, Reason: end.Reason, Text: t.evictionText(), Kept: end.savedCPU()}
	}
	return &subjects.Declined{Host: host, Job: t.job, Fact: fact, Reason: end.Reason, Text: end.Text}
}

// evictionText explains an eviction to people, beyond its reason.
func (t *attempt) evictionText() string {
	if t.outcome.Reason == t.endReason {
		return t.endText
	}
	return ""
}
