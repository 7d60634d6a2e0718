package shell

import (
	"context"
	"encoding/json"
	"time"

	"lull/actors"
	"lull/subjects"
)

const (
	requestsAtOnce = 256     // inbox messages given to the actor before it decides
	bytesAtOnce    = 4 << 20 // and their bytes, if they are more than one
	// repeatPause lets the stream's own acknowledgement of a repeated publish arrive first. A
	// client takes the first reply for that, and the second for the verdict.
	repeatPause = 50 * time.Millisecond
)

// inbox is the leader's reading of what clients published.
type inbox struct {
	messages <-chan actors.Delivery // nil while this instance does not lead
	stop     context.CancelFunc
	urgent   urgent // the requests among what waits for memory
	waiters  waiters
	since    time.Time // log time from which on all core copies are received
	read     uint64    // last message given to the actor, or passed over
	unstored unstored
}

func newInbox() inbox { return inbox{waiters: newWaiters(maxWaiters), unstored: newUnstored()} }

// openInbox reads on from a sequence.
func (s *Shell) openInbox(from uint64) {
	ctx, stop := context.WithCancel(s.ctx)
	messages, err := s.cfg.Bus.Inbox(ctx, from)
	if err != nil {
		stop()
	} else {
		s.inbox.messages, s.inbox.stop, s.inbox.read = messages, stop, from-1
		s.noteHandled()
	}
	if s.inbox.since.IsZero() {
		// listen came before our own Led, whose time this is.
		s.inbox.since = s.core.Now(s.moment())
	}
	s.mail.post(func() { s.perform(s.core.InboxOpened(s.moment(), err)) })
}

func (s *Shell) closeInbox() {
	s.closeUrgent()
	if s.inbox.messages != nil {
		s.inbox.stop()
		s.inbox.messages, s.inbox.stop = nil, nil
	}
}

// acceptedMessages returns the inbox while the actor can decide on its messages, and nil otherwise. So
// clients' messages wait in the stream, not in memory.
func (s *Shell) acceptedMessages() <-chan actors.Delivery {
	if !s.core.AcceptsRequest(s.moment(), false) {
		return nil
	}
	return s.inbox.messages
}

func (s *Shell) drainInbox() {
	bytes := 0
	for n := 0; n < requestsAtOnce && bytes < bytesAtOnce; n++ {
		select {
		case d := <-s.acceptedMessages():
			bytes += d.Size()
			s.request(d)
		case d := <-s.urgent():
			bytes += d.Size()
			s.requestEarly(d)
		default:
			return
		}
	}
}

// request gives the core one message of the inbox.
func (s *Shell) request(d actors.Delivery) {
	if d.Seq == 0 {
		s.perform(s.core.InboxBroke(s.moment()))
		return
	}
	s.inbox.read = d.Seq
	s.perform(s.core.Request(s.moment(), asRequest(d)))
}

func asRequest(d actors.Delivery) *actors.Request {
	return &actors.Request{
		Seq: d.Seq, Time: d.Time, Subject: d.Subject, Body: d.Body,
		MessageID: d.Header["Nats-Msg-Id"], Client: d.Header["Lull-Client"], Trace: d.Header[actors.Traceparent],
	}
}

// noteArrival ties a message that the actor was given to the senders that wait for its verdict.
func (i *inbox) noteArrival(r *actors.Request) {
	key := keyOf(r)
	i.unstored.remove(key)
	i.waiters.arrived(r.Seq, arrival{key, !r.Time.Before(i.since)})
}

// recall asks the actor for a verdict that was given before this instance led.
func (s *Shell) recall(r *actors.Request) ([]byte, bool) {
	recaller, ok := s.cfg.Actor.(actors.Recaller)
	if !ok {
		return nil, false
	}
	verdict, known := recaller.Recall(*r)
	return mustJSON(verdict), known
}

// answer sends a verdict to the senders that wait for it. The step that returned it
// folded the verdict's entry, so it stands in the log. After word that the job is tried they
// go on waiting.
func (s *Shell) answer(r actors.Reply) {
	verdict := mustJSON(r.Verdict)
	var senders []string
	if r.Verdict.Verdict == subjects.VerdictTrying {
		senders = s.inbox.waiters.waiting(r.Inbox)
	} else {
		senders = s.inbox.waiters.settle(r.Inbox, verdict)
	}
	for _, to := range senders {
		s.send(to, verdict)
	}
}

func (s *Shell) send(to string, verdict []byte) {
	if err := s.cfg.Bus.Publish(to, verdict); err != nil && s.ctx.Err() == nil {
		s.cfg.Logger.Warn("a verdict was not sent", "to", to, "error", err)
	}
}

// mustJSON encodes a Verdict: strings and one float, which a NaN would break.
func mustJSON(v subjects.Verdict) []byte {
	body, err := json.Marshal(v)
	if err != nil {
		return []byte(`{"verdict":"refused","code":"internal","text":"the verdict stands in the log but cannot be written as JSON"}`)
	}
	return body
}
