package subjects

// EndOf returns what a host says of an attempt that has ended, nil if the event is no such
// report. Run is nil for an attempt that was declined: it never ran.
func EndOf(e Event) (fact *Fact, run *Run) {
	switch e := e.(type) {
	case *Finished:
		return &e.Fact, &e.Run
	case *Failed:
		return &e.Fact, &e.Run
	case *Evicted:
		return &e.Fact, &e.Run
	case *Declined:
		return &e.Fact, nil
	}
	return nil, nil
}

// ReportOf returns what a host says of an attempt, nil if the event is no report.
func ReportOf(e Event) *Fact {
	if e, ok := e.(*Started); ok {
		return &e.Fact
	}
	fact, _ := EndOf(e)
	return fact
}

// AttemptOf returns the attempt that an event is about: one that a host reports on, or that was
// revoked. It is 0 for other events, and for an Assigned, because that attempt's id is the event's
// own sequence.
func AttemptOf(e Event) uint64 {
	if e, ok := e.(*Revoked); ok {
		return e.Attempt
	}
	if fact := ReportOf(e); fact != nil {
		return fact.Attempt
	}
	return 0
}
