package core

import (
	"errors"
	"fmt"
	"time"

	"lull/actors"
	"lull/subjects"
)

// The pause after a failed claim. The first is short, because usually the fold is only a moment
// behind.
const (
	claimRetryMin = 20 * time.Millisecond
	claimRetryMax = 2 * time.Second
)

// tenure is what an instance knows about the leader of its partition.
type tenure struct {
	hasLease        bool          // the lease is ours
	leads           bool          // our own Led is folded and is the last
	lastLed         uint64        // sequence of the last message on LedSubject
	claiming        bool          // a claim is out
	claimed         uint64        // a claim that was acknowledged, to be folded yet
	claimAfter      time.Duration // no claim before this
	claimPause      time.Duration // next pause between claims
	unknownOutcomes int           // batches in a row whose outcome was unknown
}

// Claim appends Event, which opens a term, if no other was opened since Led. The outcome
// is Claimed.
type Claim struct {
	Event subjects.Event
	// Inbox says that the event is to name the inbox that the term reads: see NameInbox.
	Inbox bool

	role    *Config
	led     uint64    // last message on LedSubject that was folded
	folded  uint64    // last entry that was folded
	created time.Time // of the log that was folded
}

// NameInbox writes into the event which inbox the term reads. The ledger counts the
// messages that were dealt with, and in another inbox those numbers are other messages.
func (c Claim) NameInbox(inbox actors.LogInfo) {
	if led, ok := c.Event.(*subjects.Led); ok {
		led.Inbox, led.InboxLast = InboxCreation(inbox), inbox.Last
	}
}

// Fence returns the claim's condition on the log as it is now. If the last Led was trimmed away,
// the condition is that there is none: a host may come back after the log has moved on. The error
// is a *actors.LostTailError for a log that ends before what was folded.
func (c Claim) Fence(log actors.LogInfo) (actors.Fence, error) {
	if log.Last < c.folded && log.Created.Equal(c.created) {
		return actors.Fence{}, c.role.lostTail(log.Last, c.folded, fmt.Sprintf("%s has read entry %d", c.role.Name, c.folded))
	}
	led := c.led
	if led < log.First {
		led = 0
	}
	return actors.Fence{Subject: c.role.LedSubject, Seq: led}, nil
}

// lostTail is the error for a log that ends before an entry.
func (c *Config) lostTail(last, known uint64, how string) error {
	return &actors.LostTailError{Stream: c.Pool.Log(), Last: last, Known: known, How: how}
}

// term is the fence of decisions, 0 while there may be none.
func (c *Core) term() uint64 {
	if c.tenure.leads {
		return c.tenure.lastLed
	}
	return 0
}

func (c *Core) mayClaim() bool {
	t := &c.tenure
	return t.hasLease && !t.leads && !t.claiming && t.claimed <= t.lastLed && c.behind == 0 && c.failed == nil
}

// claim asks for a term if this instance may have one. It is conditional on the last Led folded, so of
// two claimers one is refused and reads on.
func (c *Core) claim() {
	if !c.mayClaim() || c.at.Elapsed < c.tenure.claimAfter {
		return
	}
	c.tenure.claiming = true
	event := c.cfg.Claim(c.cfg.Instance)
	message, err := c.cfg.Vocabulary.Encode(c.cfg.Pool, event) // only a check: NameInbox may complete the event
	if err == nil && message.Subject != c.cfg.LedSubject {
		err = errors.New("Claim made an event on " + message.Subject + ", not on LedSubject " + c.cfg.LedSubject)
	}
	if err != nil {
		c.failed = err
		return
	}
	_, inbox := c.cfg.Actor.(actors.Inboxed)
	c.emit(Claim{Event: event, Inbox: inbox, role: &c.cfg, led: c.tenure.lastLed, folded: c.seq, created: c.created})
}

// Claimed is the outcome of a Claim: the sequence of its event, or why there is none.
func (c *Core) Claimed(at Moment, seq uint64, err error) []Effect {
	c.begin(at)
	t := &c.tenure
	t.claiming = false
	if err == nil {
		t.claimed, t.claimPause = seq, 0
		return nil
	}
	t.claimPause = min(max(2*t.claimPause, claimRetryMin), claimRetryMax)
	t.claimAfter = at.Elapsed + t.claimPause
	var lost *actors.LostTailError
	if errors.As(err, &lost) {
		c.failed = err
		return nil
	}
	var fenced *actors.FencedError
	if errors.As(err, &fenced) && fenced.Last < t.lastLed && c.behind == 0 {
		t.lastLed = fenced.Last // our last Led was lost with the log's tail, and the log was repaired
	}
	if errors.As(err, &fenced) && t.lastLed < fenced.Last && fenced.Last <= c.borrowed {
		t.lastLed = fenced.Last // it is in the part of the log that another service folded
	}
	if !errors.Is(err, actors.ErrFenced) { // else another claim came first: read on
		c.emit(Unhealthy{"no term yet: " + err.Error(), Note{Warning, "the NATS server did not let this service take the lead of its pool, so nothing is decided; trying again", []any{"error", err}}})
	}
	return c.out
}

// noteLed learns from a message on LedSubject which instance leads. Bytes that are no event give no
// instance the lead, but they are the last of their subject. The server would refuse a batch that
// is fenced on anything older.
func (c *Core) noteLed(seq uint64, event subjects.Event) {
	instance, led := instanceOf(event), c.tenure.leads
	c.tenure.lastLed = seq
	c.emit(Term{seq})
	if instance == c.cfg.Instance {
		c.noteInbox(event)
		c.emit(Healthy{})
		c.lead(c.tenure.hasLease)
		return
	}
	c.lead(false)
	if led {
		c.note(Warning, "another instance leads now", "term", seq, "instance", instance)
	}
	if led && c.cfg.Lease == 0 && instance != "" {
		c.failed = actors.ErrReplaced
	}
}

// instanceOf returns the instance that a Led or Joined names, "" for other events.
func instanceOf(event subjects.Event) string {
	switch e := event.(type) {
	case *subjects.Led:
		return e.Instance
	case *subjects.Joined:
		return e.Instance
	}
	return ""
}

// lead changes between standby and leading.
func (c *Core) lead(leads bool) {
	c.tenure.leads, c.changed = leads, true
	c.emit(Lead{leads})
	if !leads {
		c.closeInbox()
	}
}

// renewTerm ends a term whose Led is about to be trimmed away; claim opens the next one.
func (c *Core) renewTerm() {
	old := c.cfg.Keep > 0 && c.seq-c.tenure.lastLed > c.cfg.Keep/2
	if old && c.tenure.leads && c.flight == nil {
		c.suspendTerm()
	}
}

// suspendTerm stops deciding until a new term is open. The inbox stays as it is.
func (c *Core) suspendTerm() {
	c.tenure.leads, c.tenure.claimAfter = false, 0
	c.emit(Lead{false})
}

// backOff delays the next term, longer with each batch in a row that had an unknown outcome.
// Otherwise a batch that the server never acknowledges would fill the log with terms.
func (c *Core) backOff() {
	if n := c.tenure.unknownOutcomes; n > 0 {
		c.tenure.claimAfter = c.at.Elapsed + min(claimRetryMin<<min(n, 10), claimRetryMax)
	}
	c.tenure.unknownOutcomes++
}

// Leased says whether the lease is ours. A lease excludes no instance: it only says which should
// try. The fence excludes.
func (c *Core) Leased(at Moment, held bool) []Effect {
	c.begin(at)
	c.tenure.hasLease = held
	if !held && c.tenure.leads {
		c.lead(false)
	}
	return c.out
}

// StepDown ends the term without another: the instance is about to end.
func (c *Core) StepDown(at Moment) []Effect {
	c.begin(at)
	c.lead(false)
	return c.out
}
