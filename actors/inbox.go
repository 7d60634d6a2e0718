package actors

import (
	"context"
	"encoding/json"
	"fmt"
	"time"
)

const (
	requestsAtOnce = 256     // inbox messages given to the actor before it decides
	bytesAtOnce    = 4 << 20 // and their bytes, if they are more than one
	// repeatPause lets the stream's own acknowledgement of a repeated publish
	// go first: a client takes the first reply for it, and the second for the
	// verdict.
	repeatPause = 50 * time.Millisecond
)

// inbox is the leader's reading of what clients published.
type inbox struct {
	messages <-chan Delivery // nil while this instance does not lead
	stop     context.CancelFunc
	urgent   urgent // the requests among what waits for memory
	waiters  waiters
	since    time.Time // log time from which on all core copies are heard
	after    time.Time // after the reader failed, do not open it again before this
	full     bool      // memory is full: see Config.Memory
	born     int64     // creation time of the inbox that the term reads, 0 if unknown
	read     uint64    // last message given to the actor, or passed over
	unstored unstored
	old      int // messages passed over because they are older than the log
}

func newInbox() inbox { return inbox{waiters: newWaiters(maxWaiters), unstored: newUnstored()} }

// openInbox reads on after what the log has dealt with.
func (s *Shell) openInbox() {
	reader, ok := s.cfg.Actor.(Inboxed)
	if !ok || s.inbox.messages != nil {
		return
	}
	ctx, stop := context.WithCancel(s.ctx)
	messages, err := s.cfg.Bus.Inbox(ctx, reader.InboxFrom()+1)
	if err != nil {
		stop()
		s.inbox.after = time.Now().Add(refollowAfter)
		if why := "the inbox cannot be read: " + err.Error(); !s.stopping() && s.ail(why) {
			s.cfg.Logger.Warn(why + "; trying again")
		}
		return
	}
	if !s.inbox.after.IsZero() {
		s.inbox.after = time.Time{}
		s.heal()
	}
	s.inbox.messages, s.inbox.stop, s.inbox.read = messages, stop, reader.InboxFrom()
	s.noteInbox()
	if s.inbox.since.IsZero() {
		// listen came before our own Led, whose time this is.
		s.inbox.since = s.clock.now()
	}
}

// reopenInbox opens the inbox again, refollowAfter after its reader failed.
func (s *Shell) reopenInbox() {
	if s.mayReopen() && !time.Now().Before(s.inbox.after) {
		s.openInbox()
	}
}

func (s *Shell) mayReopen() bool { return s.tenure.leads && !s.inbox.after.IsZero() }

func (s *Shell) closeInbox() {
	s.closeUrgent()
	if s.inbox.messages != nil {
		s.inbox.stop()
		s.inbox.messages, s.inbox.stop = nil, nil
	}
}

// wanted is the inbox while the actor can decide on what it brings, and nil
// otherwise: so the clients' messages wait in the stream, not in memory.
func (s *Shell) wanted() <-chan Delivery {
	if !s.takes() || s.crowded() {
		return nil
	}
	return s.inbox.messages
}

// takes reports whether the actor can decide on one more message.
func (s *Shell) takes() bool {
	return s.term() != 0 && s.flight == nil && !s.hold.on() && !s.backlogged()
}

// backlogged reports whether the actor takes no more messages until it has decided.
func (s *Shell) backlogged() bool {
	actor, ok := s.cfg.Actor.(Backlogged)
	return ok && actor.Backlogged()
}

func (s *Shell) drainInbox() {
	bytes := 0
	for n := 0; n < requestsAtOnce && bytes < bytesAtOnce; n++ {
		select {
		case d := <-s.wanted():
			bytes += d.Size()
			s.request(d)
		case d := <-s.urgent():
			bytes += d.Size()
			s.early(d)
		default:
			return
		}
	}
}

// request gives the actor one message of the inbox.
func (s *Shell) request(d Delivery) {
	if d.Seq == 0 { // the reader broke: reopenInbox begins again where the log stands
		s.closeInbox()
		s.inbox.after = time.Now().Add(refollowAfter)
		return
	}
	s.inbox.read = d.Seq
	if s.outlived(d) {
		return
	}
	if out := s.give(d, false); out.Quarantine != "" {
		s.setAside("inbox", fmt.Sprintf("inbox-%d", d.Seq), fmt.Errorf("%s", out.Quarantine), d.Body)
	}
}

// give steps the actor with a message of the inbox.
func (s *Shell) give(d Delivery, early bool) Output {
	r := asRequest(d)
	r.Early = early
	if now := s.clock.now(); r.Time.After(now.Add(near)) {
		r.Time = now // deadlines count from it
	}
	key := keyOf(r)
	s.inbox.unstored.found(key)
	s.inbox.waiters.arrived(d.Seq, arrival{key, !d.Time.Before(s.inbox.since)})
	return s.step(Input{Request: &r})
}

func asRequest(d Delivery) Request {
	return Request{
		Seq: d.Seq, Time: d.Time, Subject: d.Subject, Body: d.Body,
		MessageID: d.Header["Nats-Msg-Id"], Client: d.Header["Lull-Client"], Trace: d.Header[Traceparent],
	}
}

// recall asks the actor for a verdict that was given before this instance led.
func (s *Shell) recall(r Request) ([]byte, bool) {
	recaller, ok := s.cfg.Actor.(Recaller)
	if !ok {
		return nil, false
	}
	verdict, known := recaller.Recall(r)
	return mustJSON(verdict), known
}

// answer sends a verdict to those who wait for it. The step that returned it
// folded the verdict's entry, so it stands in the log.
func (s *Shell) answer(r Reply) {
	if s.term() == 0 {
		return
	}
	verdict := mustJSON(r.Verdict)
	for _, to := range s.inbox.waiters.settle(r.Inbox, verdict) {
		s.send(to, verdict)
	}
}

func (s *Shell) send(to string, verdict []byte) {
	if err := s.cfg.Bus.Publish(to, verdict); err != nil && s.ctx.Err() == nil {
		s.cfg.Logger.Warn("a verdict was not sent", "to", to, "error", err)
	}
}

// mustJSON encodes a Verdict: strings and one float, which a NaN would break.
func mustJSON(v any) []byte {
	body, err := json.Marshal(v)
	if err != nil {
		return []byte(`{"verdict":"refused","code":"internal","text":"the verdict stands in the log but cannot be written as JSON"}`)
	}
	return body
}
