package sim

import (
	"errors"
	"time"

	"lull/actors"
	"lull/subjects"
)

// The pauses of actors.Shell between two claims that failed.
const (
	claimRetryMin = 20 * time.Millisecond
	claimRetryMax = 2 * time.Second
)

// tenure is what a replica knows about who leads its partition.
type tenure struct {
	held    bool          // the lease is its own
	leads   bool          // its own Led is folded and is the last
	led     uint64        // last entry on the subject of terms
	asking  bool          // a claim is out
	claimed uint64        // a claim that was acknowledged, to be folded yet
	after   time.Duration // no claim before this
	retry   time.Duration // next pause between claims
}

// term is the fence of decisions, 0 while there may be none.
func (r *replica) term() uint64 {
	if r.tenure.leads {
		return r.tenure.led
	}
	return 0
}

func (r *replica) mayClaim() bool {
	t := &r.tenure
	return t.held && !t.leads && !t.asking && t.claimed <= t.led && r.behind == 0
}

// claimIfDue opens a term when nothing speaks against it.
func (r *replica) claimIfDue() {
	if !r.up {
		return
	}
	r.renewTerm()
	if !r.mayClaim() || r.w.now < r.tenure.after {
		return
	}
	batch, err := r.w.encode([]subjects.Event{r.claim(r.instance)})
	if err != nil {
		r.fail(err)
		return
	}
	r.tenure.asking = true
	led := r.tenure.led
	var seq uint64
	r.carry(OpClaim, func() {
		// A Led that was trimmed away is no message to fence with.
		if led < r.w.bus.log.first {
			led = 0
		}
		seq, err = r.w.append(batch, actors.Fence{Subject: r.led, Seq: led})
	}, func(refused error, lost bool) {
		r.claimAnswered(seq, outcome(err, refused, lost))
	})
}

// outcome is what the maker of an append is told.
func outcome(err, refused error, lost bool) error {
	if lost {
		return actors.ErrUnknown
	}
	return errors.Join(err, refused)
}

func (r *replica) claimAnswered(seq uint64, err error) {
	t := &r.tenure
	t.asking = false
	if err == nil {
		t.claimed, t.retry = seq, 0
		return
	}
	t.retry = min(max(2*t.retry, claimRetryMin), claimRetryMax)
	t.after = r.w.now + t.retry
}

// noteLed learns who leads from an entry on the subject of terms.
func (r *replica) noteLed(e *entry) {
	instance, led := claimant(e.Event), r.tenure.leads
	r.tenure.led = e.Seq
	if instance == r.instance {
		r.lead(r.tenure.held)
		return
	}
	r.lead(false)
	if led && r.lease == 0 && instance != "" {
		r.fail(actors.ErrReplaced)
	}
}

func claimant(e subjects.Event) string {
	switch e := e.(type) {
	case *subjects.Led:
		return e.Instance
	case *subjects.Joined:
		return e.Instance
	}
	return ""
}

// lead changes between standby and leading.
func (r *replica) lead(leads bool) {
	r.tenure.leads, r.stirred = leads, true
	if leads {
		r.openInbox()
	} else {
		r.inbox = inbox{}
	}
}

// renewTerm gives up a term whose Led would keep the log from being trimmed.
func (r *replica) renewTerm() {
	old := r.keep > 0 && r.seq-r.tenure.led > r.keep/2
	if old && r.tenure.leads && r.flight == nil {
		r.doubt()
	}
}

// doubt stops deciding until a new term is open. The inbox stays as it is.
func (r *replica) doubt() {
	r.tenure.leads, r.tenure.after = false, 0
}

// renew keeps the lease, and asks again in a third of its time.
func (r *replica) renew() {
	held := false
	r.carry(OpLease, func() {
		held = r.w.bus.lease(wall(r.w.now), r.snapshot(), r.instance, r.lease)
	}, func(refused error, lost bool) {
		if refused == nil && !lost {
			r.leased(held)
		}
	})
	if r.up {
		r.w.arm(&r.renewal, r.w.now+r.lease/3)
	}
}

func (r *replica) leased(held bool) {
	r.tenure.held = held
	if !held && r.tenure.leads {
		r.lead(false)
	}
}
