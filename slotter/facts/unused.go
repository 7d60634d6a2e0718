package facts

// unused records that a host's slot was left empty, and stays so for the tasks of a line until a
// time. In a pool with many such hosts, asking each of them for all tasks cost a quarter of every
// round.
type unused struct {
	line   *Line
	news   int // of the line
	enough float64
	until  int64
}

// LeaveUnused notes that no task of the line takes the host's next slot before a time, unless less is
// enough then.
func (h *Host) LeaveUnused(l *Line, enough float64, until int64) {
	h.unused = unused{l, l.news, enough, until}
}

// StaysUnused reports whether still no task of the line would take the slot, and until when: the host is
// unchanged, no other kind of task has come, and enough is no lower.
func (h *Host) StaysUnused(l *Line, enough float64, now int64) (until int64, stays bool) {
	u := &h.unused
	return u.until, u.line == l && u.news == l.news && enough >= u.enough && now < u.until
}

// EnoughSlots is what a job knows of the slots below a step: that there are enough
// until so many were taken in the round. Counting them for each slot again cost
// a sixth of a round.
type EnoughSlots struct{ Step, Until int }
