package hostctl

import (
	"sync"

	"lull/actors/shell"
)

// current is the shell of the present term, to which all parts of the host report.
type current struct {
	mu struct {
		sync.Mutex
		shell *shell.Shell // nil before the first term
		tell  func(any)    // its Report
	}
}

// begin makes a shell the present one and passes the current states to it by tell. A room sets its
// state before it reports it, and no report comes between the reading of these states and tell.
// Otherwise a new term would take an old state for the latest one.
func (p *current) begin(s *shell.Shell, tell func(any), states ...func() any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.mu.shell, p.mu.tell = s, tell
	for _, state := range states {
		tell(state())
	}
}

// report passes the outcome of an action to the host's actor. Before the first term it does
// nothing.
func (p *current) report(outcome any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.mu.tell != nil {
		p.mu.tell(outcome)
	}
}

// get is the shell, nil before the first term.
func (p *current) get() *shell.Shell {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.mu.shell
}
