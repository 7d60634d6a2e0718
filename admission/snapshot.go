package admission

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"lull/admission/book"
	"lull/admission/facts"
	"lull/admission/inbox"
	"lull/admission/judge"
	"lull/admission/pool"
	"lull/subjects/ledger"
	"lull/subjects/section"
)

// Section is admission's own section of a snapshot, beside the ledger's.
var Section = section.Kind{Name: Name, Version: ownVersion, Ways: section.Ways{3: nil, 4: nil, 5: nil}}

// ownVersion is the version of own. Raise it once in a release in which own changes.
const ownVersion = 6

// own is what a snapshot keeps beside the ledger. Telemetry and the inbox are
// not in it: both come again.
type own struct {
	Led         int64            `msgpack:"led"`
	Promises    []*book.Promise  `msgpack:"promises"` // by job
	Learnt      book.Calibration `msgpack:"learnt"`
	LargeLosses int              `msgpack:"blows"`
	Lost        int              `msgpack:"lost"`
	// Shown is what finished tasks of live jobs took over what was predicted, and what they gave.
	Shown []pool.StageShown `msgpack:"shown"`
}

// Snapshot returns the actor's state. ledger.Unpack extracts the ledger from it.
func (a *Actor) Snapshot() ([]byte, error) {
	form := own{Led: a.facts.Led, Learnt: a.facts.Book.Calibration, LargeLosses: a.facts.Book.LargeLosses, Lost: a.facts.Book.Lost, Shown: a.pool.ShownStages()}
	for _, job := range slices.Sorted(maps.Keys(a.facts.Book.Promises)) {
		form.Promises = append(form.Promises, a.facts.Book.Promises[job])
	}
	return a.facts.Ledger.PackWith(Section, &form)
}

// Restore replaces the state by a snapshot's.
func (a *Actor) Restore(b []byte) error {
	var form own
	state, err := ledger.UnpackWith(b, Section, &form)
	if err != nil {
		return fmt.Errorf("admission snapshot: %w", err)
	}
	if len(form.Learnt.Service) > book.Memory || len(form.Learnt.Finish) > book.Memory {
		return fmt.Errorf("admission snapshot: it remembers more than %d outcomes", book.Memory)
	}
	a.reset(state)
	a.facts.Led = form.Led
	a.facts.Book.Calibration, a.facts.Book.LargeLosses, a.facts.Book.Lost = form.Learnt, form.LargeLosses, form.Lost
	for _, p := range form.Promises {
		if p == nil {
			return errors.New("admission snapshot: an entry of its promises is empty")
		}
		a.facts.Book.Promises[p.Job] = p
	}
	a.pool.RestoreShown(form.Shown)
	return nil
}

// reset makes the actor one that has folded state and received no telemetry yet.
func (a *Actor) reset(state *ledger.State) {
	f := &facts.Facts{Config: a.facts.Config, Ledger: state, Book: book.Book{Promises: map[string]*book.Promise{}}}
	p := pool.New(f)
	j := &judge.Judge{Facts: f, Pool: p}
	*a = Actor{
		facts: f, inbox: inbox.New(f, &p.Names), pool: p, judge: j, trials: p.Trials,
		verdicts: &verdicts{Facts: f, pool: p, judge: j, trials: p.Trials, grounds: &grounds{Facts: f, pool: p, trials: p.Trials}},
		checker:  &checker{Facts: f, pool: p, judge: j},
	}
	for j := range state.LiveJobs().All() {
		if !j.Phase.Judged() {
			a.inbox.Undecided.Insert(j)
		}
		switch j.Phase {
		case ledger.Admitted:
			a.pool.Enqueue(j)
		case ledger.Trying:
			a.trials.Add(j)
		}
	}
}
