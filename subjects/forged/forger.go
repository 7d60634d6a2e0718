package forged

import (
	"fmt"
	"math/rand/v2"
	"reflect"

	"lull/subjects"
	"lull/subjects/ledger"
)

// Forger makes events about a pool.
type Forger struct {
	rng   *rand.Rand
	pool  *ledger.State
	kinds []func() subjects.Event
}

// New returns a forger of events about what a ledger knows by then. The same seed and the same ledgers
// give the same events.
func New(seed uint64, pool *ledger.State) *Forger {
	return &Forger{rng: rand.New(rand.NewPCG(seed, 1)), pool: pool, kinds: subjects.Ledger.Makers()}
}

// Event returns the next event.
func (f *Forger) Event() subjects.Event {
	e := f.kinds[f.rng.IntN(len(f.kinds))]()
	f.plausible(e)
	if read(e) == nil {
		panic(fmt.Sprintf("the log takes no %T like %+v: mend plausible", e, e))
	}
	for range f.rng.IntN(6) {
		f.setExtreme(reflect.ValueOf(e).Elem(), func() bool { return read(e) != nil })
	}
	return read(e)
}

// read returns an event as readers of the log get it, nil if the log does not take it.
func read(e subjects.Event) subjects.Event {
	m, err := subjects.Encode(subjects.DefaultPool, e)
	if err != nil {
		return nil
	}
	again, err := subjects.Decode(subjects.DefaultPool, m.Subject, m.Body)
	if err != nil {
		panic(fmt.Sprintf("Decode(Encode(%+v)) = %v, want the event", e, err))
	}
	return again
}

// chance is true so many times in a hundred.
func (f *Forger) chance(percent int) bool { return f.rng.IntN(100) < percent }

// one returns an element of a list, the zero value if it is empty.
func one[T any](f *Forger, list []T) (v T) {
	if len(list) > 0 {
		v = list[f.rng.IntN(len(list))]
	}
	return v
}

// Sample returns telemetry of a host, with values at which arithmetic breaks, as far as readers accept it.
func (f *Forger) Sample() subjects.Telemetry {
	s := one(f, []subjects.Telemetry{&subjects.Usage{Host: f.host()}, &subjects.Beat{Host: f.host()}, &subjects.Speeds{Host: f.host()}})
	for range f.rng.IntN(6) {
		f.setExtreme(reflect.ValueOf(s).Elem(), func() bool {
			_, err := subjects.EncodeTelemetry(subjects.DefaultPool, s)
			return err == nil
		})
	}
	return s
}

// Question returns the bytes of a question about the pool, given empty, with such values in it.
func (f *Forger) Question(ask any) []byte {
	f.name(reflect.ValueOf(ask).Elem())
	for range f.rng.IntN(6) {
		f.setExtreme(reflect.ValueOf(ask).Elem(), func() bool { return true })
	}
	body, err := subjects.Marshal(ask)
	if err != nil {
		panic(err)
	}
	return body
}
