package core

import (
	"fmt"
	"time"

	"lull/actors"
	"lull/subjects"
)

// inboxRetry is the pause before an inbox that cannot be read is opened again.
const inboxRetry = time.Second

// inbox is the leader's reading of what clients published.
type inbox struct {
	open    bool
	after   time.Duration // the reader failed: do not open it again before this; 0 if it did not
	full    bool          // memory is full: new work waits
	created int64         // creation time of the inbox that the term reads, 0 if unknown
	skipped int           // messages skipped because they are older than the log

	floors floors
}

// openInbox reads on after what the log has dealt with.
func (c *Core) openInbox() {
	reader, ok := c.cfg.Actor.(actors.Inboxed)
	if !ok || c.inbox.open {
		return
	}
	c.inbox.open = true
	c.emit(OpenInbox{reader.InboxFrom() + 1})
}

func (c *Core) closeInbox() {
	if c.inbox.open {
		c.inbox.open, c.inbox.floors = false, floors{}
		c.emit(CloseInbox{})
	}
}

// InboxOpened is the outcome of an OpenInbox.
func (c *Core) InboxOpened(at Moment, err error) []Effect {
	c.begin(at)
	switch {
	case err != nil:
		c.retryInbox()
		why := "the inbox cannot be read: " + err.Error()
		c.emit(Unhealthy{why, Note{Warning, why + "; trying again", nil}})
	case c.inbox.after != 0:
		c.inbox.after = 0
		c.emit(Healthy{})
	}
	return c.out
}

// InboxBroke says that the inbox's reader broke.
func (c *Core) InboxBroke(at Moment) []Effect {
	c.begin(at)
	c.retryInbox()
	return c.out
}

func (c *Core) retryInbox() {
	c.closeInbox()
	c.inbox.after = c.at.Elapsed + inboxRetry
}

// reopenInbox opens the inbox again, inboxRetry after its reader failed. It begins where the
// log stands.
func (c *Core) reopenInbox() {
	if c.mayReopen() && c.at.Elapsed >= c.inbox.after {
		c.openInbox()
	}
}

func (c *Core) mayReopen() bool { return c.tenure.leads && c.inbox.after != 0 && !c.inbox.open }

// AcceptsRequest reports whether the actor can decide on one more message of the inbox. While it is
// false, messages wait in the stream, not in memory. Urgent ones need not wait for memory.
func (c *Core) AcceptsRequest(at Moment, urgent bool) bool {
	can := c.inbox.open && c.term() != 0 && c.flight == nil && !c.hold.active(at) && !c.backlogged()
	if urgent {
		return can && c.inbox.full
	}
	return can && !c.inbox.full && !c.memoryFull(at)
}

// NewWorkWaits reports whether new work waits for memory while the inbox is read.
func (c *Core) NewWorkWaits() bool { return c.inbox.full && c.inbox.open }

// backlogged reports whether the actor takes no more messages until it has decided.
func (c *Core) backlogged() bool {
	actor, ok := c.cfg.Actor.(actors.Backlogged)
	return ok && actor.Backlogged()
}

// Request steps the actor with one message of the inbox.
func (c *Core) Request(at Moment, r *actors.Request) []Effect {
	c.begin(at)
	c.inbox.floors.correct(r, c.clock.now(&c.at), c.at.Elapsed)
	if c.predatesLog(r) {
		return c.out
	}
	c.emit(Taken{r})
	if out := c.step(actors.Input{Request: r}); out.Quarantine != "" && !r.Early {
		c.emit(Quarantine{"inbox", fmt.Sprintf("inbox-%d", r.Seq), fmt.Errorf("%s", out.Quarantine), r.Body})
	}
	return c.out
}

// predatesLog reports whether a message is older than the log. Then the log was made
// anew beside an inbox that stayed, and the log before it may have dealt with the
// message. The core passes over it, so that no old job runs a second time.
func (c *Core) predatesLog(r *actors.Request) bool {
	if c.inbox.created == 0 || c.created.UnixNano() <= c.inbox.created || !r.Time.Before(c.created) {
		return false
	}
	if c.inbox.skipped++; c.inbox.skipped == 1 {
		c.note(Warning, "the log is younger than the inbox: messages published before the log was created are skipped; read them in the stream, and publish again those that should still run",
			"stream", c.cfg.Pool.Inbox(), "made", c.created)
	}
	return true
}

// InboxCreated is the creation time of the inbox that the term reads, in Unix nanoseconds, 0
// if unknown.
func (c *Core) InboxCreated() int64 { return c.inbox.created }

// noteInbox notes the inbox that our own Led names.
func (c *Core) noteInbox(event subjects.Event) {
	if led, ok := event.(*subjects.Led); ok {
		c.inbox.created = led.Inbox
	}
}

// CheckInbox compares the inbox with the one that the term names. If an operator deleted that
// and had another one made, a new term reads it from its beginning. The inbox was looked at
// ago before now.
func (c *Core) CheckInbox(at Moment, info actors.LogInfo, ago time.Duration) []Effect {
	c.begin(at)
	if c.term() != 0 && c.inbox.created != 0 && InboxCreation(info) != c.inbox.created {
		c.note(Warning, "the inbox was made anew: reading it from its beginning", "made", info.Created)
		c.closeInbox()
		c.suspendTerm()
		return c.out
	}
	c.inbox.floors.observe(info.Last, at.Elapsed-ago)
	return c.out
}

// InboxCreation is an inbox's creation time as a Led names it.
func InboxCreation(info actors.LogInfo) int64 {
	if info.Created.IsZero() {
		return 0
	}
	return info.Created.UnixNano()
}
