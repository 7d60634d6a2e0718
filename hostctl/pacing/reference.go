package pacing

// Reference returns the reference of a task in bytes/s, 0 for none, and whether the task cannot reach
// it.
func (p *Pacer) Reference(attempt uint64) (reference float64, short bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if t := p.mu.tasks[attempt]; t != nil {
		return t.Reference, t.starved
	}
	return 0, false
}

// InControl reports whether a task of a kind is under control and not on trial.
func (p *Pacer) InControl(kind string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, t := range p.mu.tasks {
		if t.driver != nil && t.model == kind {
			return !t.trial
		}
	}
	return false
}
