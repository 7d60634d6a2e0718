package subjects

// History names the stream of what hosts' primaries did: see package history.
func (p Pool) History() string { return p.Log() + "_HISTORY" }

// HistorySubjects are the subjects that the stream of history keeps.
func (p Pool) HistorySubjects() []string {
	return []string{p.OfHistory("*", "*"), p.OfPast("*", "*")}
}

// OfHistory is the subject of a block of samples that a host's agent took: see
// history.Block.Name. "*" stands for any host or block.
func (p Pool) OfHistory(host, block string) string { return p.subject("history", host, block) }

// OfPast is the subject of a block that was imported from another monitoring.
func (p Pool) OfPast(host, block string) string { return p.subject("past", host, block) }
