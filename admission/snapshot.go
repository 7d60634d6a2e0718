package admission

import (
	"fmt"

	"lull/subjects"
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
	state, err := a.state.Snapshot()
	if err != nil {
		return nil, err
	}
	rest, err := subjects.Marshal(&own{a.led})
	if err != nil {
		return nil, err
	}
	return ledger.Pack(state, rest)
}

// Restore replaces the state by a snapshot's.
func (a *Actor) Restore(b []byte) error {
	packed, rest, err := ledger.Unpack(b)
	if err != nil {
		return err
	}
	state, form := ledger.New(), own{}
	if err := state.Restore(packed); err != nil {
		return err
	}
	if err := subjects.Unmarshal(rest, &form); err != nil {
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
