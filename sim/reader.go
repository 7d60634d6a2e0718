package sim

import (
	"errors"
	"time"

	"lull/actors"
	"lull/actors/core"
	"lull/subjects"
)

// minTransit is the shortest time that an entry takes to its readers. An entry that is younger when a
// reader wakes waits for the reader's next waking.
const minTransit = 200 * time.Microsecond

// delivery is how long the next entry takes to the reader.
func (r *replica) delivery() time.Duration {
	return minTransit + time.Duration(r.net.ExpFloat64()*float64(minTransit))
}

// refollow is the pause of actors/shell before a broken subscription is made
// again.
const refollow = time.Second

// notify wakes the reader for an entry that was appended at a time, unless it
// is about to wake anyway. A delivery that is lost breaks the subscription.
func (r *replica) notify(at time.Duration) {
	if r.up && r.readTimer.pos == 0 {
		f := r.w.fate(OpDeliver, r.process, "")
		if f.Crash != NoCrash {
			r.crashFor(f.Down)
			return
		}
		if f.Lose {
			f.Delay += refollow
		}
		r.w.arm(&r.readTimer, at+r.delivery()+f.Delay)
	}
}

// read folds what has arrived, and then decides once.
func (r *replica) read() {
	for r.up {
		e, behind := r.w.readers.next(r)
		if e == nil {
			break
		}
		if at := since(e.Time.UnixNano()); at > r.w.now-minTransit {
			r.notify(at)
			break
		}
		r.fold(e, behind)
	}
	r.turn()
}

// errNoEvent says why an entry is passed over.
var errNoEvent = errors.New("no event")

// fold gives the core one entry of the log.
func (r *replica) fold(e *entry, behind uint64) {
	r.w.delivered++
	a := core.Arrival{Entry: &e.Entry, Subject: e.subject, Body: e.body, Pending: behind, Optional: e.header[actors.Optional] == "1"}
	switch {
	case e.Event != nil:
	case a.Optional:
		a.Err = subjects.ErrUnknownKind
	default:
		a.Err = errNoEvent
	}
	r.perform(r.core.Fold(r.moment(), a))
}
