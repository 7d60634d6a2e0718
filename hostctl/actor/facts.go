package actor

import (
	"slices"
	"time"

	"lull/subjects"
)

// facts are what all parts of the actor read: the host's state in the log, and the
// state of the agent's process.
type facts struct {
	cfg Config

	// From the log.

	term    uint64 // sequence of the host's last Joined
	joiner  joiner // which wrote that
	seq     uint64 // last entry folded
	paused  bool
	drained bool
	left    bool       // Left of this term stands in the log
	lost    bool       // Lost of this term stands in the log
	held    []*attempt // by id

	// Known to this process only.

	first    uint64 // the first term of this process, 0 until the launcher has reconciled
	full     bool   // the disk
	leaving  bool
	residual meter
	changed  bool // the heartbeat differs from the last one
}

// now is the time of the latest step.
func (f *facts) now() time.Time { return f.residual.at }

// join opens a term. Attempts go on: the ledger accepts what a host reports of them
// in its newest term.
func (f *facts) join(seq uint64, e *subjects.Joined) {
	f.term, f.joiner, f.left, f.lost = seq, joiner{e.Instance, e.Boot}, false, false
	f.changed = true
}

// setGates sets whether the host is paused and whether it is drained.
func (f *facts) setGates(paused, drained bool) {
	f.changed = f.changed || paused != f.paused
	f.paused, f.drained = paused, drained
}

// giveUp ends the host's attempts if it left or was lost: the ledger has ended them.
func (f *facts) giveUp() {
	if !f.left && !f.lost {
		return
	}
	f.lost = true
	for _, t := range f.held {
		if t.endReason == "" {
			t.endReason = subjects.ReasonRevoked
		}
	}
}

// owesEnds reports whether the end of any attempt must still be reported before the
// host leaves. Tasks that stay when the agent stops are reported by the next agent.
func (f *facts) owesEnds() bool {
	return slices.ContainsFunc(f.held, func(t *attempt) bool { return t.phase != started || !f.cfg.Stay })
}
