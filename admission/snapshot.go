package admission

import (
	"fmt"

	"lull/subjects/ledger"
	"lull/subjects/tct"
)

// own is what a snapshot keeps beside the ledger. Telemetry and the inbox are
// not in it: both come again.
type own struct {
	Led int64 `msgpack:"led"`
}

// Snapshot returns the actor's state; ledger.Unpack takes the ledger out of it.
func (a *Actor) Snapshot() ([]byte, error) {
	return a.state.PackWith(&own{a.led})
}

// Restore replaces the state by a snapshot's.
func (a *Actor) Restore(b []byte) error {
	var form own
	state, err := ledger.UnpackWith(b, &form)
	if err != nil {
		return fmt.Errorf("admission snapshot: %w", err)
	}
	a.reset(state)
	a.led = form.Led
	return nil
}

// reset makes the actor one that has folded state and heard nothing yet.
func (a *Actor) reset(state *ledger.State) {
	*a = Actor{
		cfg: a.cfg, state: state, curves: tct.NewCurves(),
		waiting: map[string][]uint64{}, usage: map[string]usage{},
	}
	for _, j := range state.LiveJobs() {
		if j.Phase == ledger.Submitted {
			a.open = append(a.open, j.ID)
		}
	}
}
