package sim

import (
	"fmt"
	"time"

	"lull/actors"
)

// requestsAtOnce is how many messages of the inbox an actor is given before it
// decides: as in actors.Shell.
const requestsAtOnce = 256

// inbox is the leader's reading of what clients published.
type inbox struct {
	open bool
	next uint64
	seen time.Duration // what came until then has arrived
}

// openInbox reads on after what the log has dealt with.
func (r *replica) openInbox() {
	if reader, ok := r.actor.(actors.Inboxed); ok && !r.inbox.open {
		r.inbox = inbox{open: true, next: reader.InboxFrom() + 1}
		r.expect()
	}
}

// expect lets what is in the inbox arrive after a while.
func (r *replica) expect() {
	if !r.up || !r.inbox.open {
		return
	}
	f := r.w.fate(OpInbox, r.who, "")
	life := r.life
	r.w.after(r.delivery()+f.Delay, func() {
		if r.life == life && r.inbox.open {
			r.inbox.seen = r.w.now - transit
			r.turn()
		}
	})
	if f.Again > 0 { // a reader that broke begins where the log stands
		r.w.after(f.Again, func() {
			if r.life == life && r.inbox.open {
				r.inbox.next = min(r.inbox.next, r.actor.(actors.Inboxed).InboxFrom()+1)
				r.turn()
			}
		})
	}
}

// drainInbox gives the actor what has arrived, while it can decide on it, and
// reports whether more waits.
func (r *replica) drainInbox() bool {
	for n := 0; r.wanted(); n++ {
		if n == requestsAtOnce {
			return true
		}
		r.request(r.w.bus.inbox.at(r.inbox.next))
		r.inbox.next++
	}
	return false
}

func (r *replica) wanted() bool {
	stream := r.w.bus.inbox
	return r.up && r.inbox.open && r.term() != 0 && r.flight == nil && !r.hold.on(r.w.now) &&
		r.inbox.next <= stream.end && since(stream.at(r.inbox.next).Time.UnixNano()) <= r.inbox.seen
}

func (r *replica) request(e *entry) {
	out := r.step(actors.Input{Request: &actors.Request{
		Seq: e.Seq, Time: e.Time, Subject: e.subject, Body: e.body,
		MessageID: e.header[messageID], Client: e.header["Lull-Client"],
	}})
	if out.Quarantine != "" {
		r.w.bus.quarantine(fmt.Sprintf("inbox-%d", e.Seq), out.Quarantine)
	}
}
