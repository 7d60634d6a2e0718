package actors

import (
	"fmt"
	"time"

	"lull/subjects"
)

// Which inbox a term reads is a part of its Led: the ledger counts the messages
// that were dealt with, and in another inbox those numbers are other messages.

// inboxEvery is the interval at which the leader checks that the inbox is still the
// same one.
const inboxEvery = time.Second

// nameInbox writes into a claim which inbox the term reads.
func (s *Shell) nameInbox(event subjects.Event) error {
	led, ok := event.(*subjects.Led)
	if _, reads := s.cfg.Actor.(Inboxed); !ok || !reads {
		return nil
	}
	info, err := s.cfg.Bus.InboxInfo(s.ctx)
	if err != nil {
		return err
	}
	led.Inbox, led.InboxLast = bornOf(info), info.Last
	return nil
}

func bornOf(info LogInfo) int64 {
	if info.Created.IsZero() {
		return 0
	}
	return info.Created.UnixNano()
}

// termReads notes the inbox that our own Led names.
func (s *Shell) termReads(event subjects.Event) {
	if led, ok := event.(*subjects.Led); ok {
		s.inbox.born = led.Inbox
		s.reads.Store(led.Inbox)
	}
}

// goInbox checks the inbox while this instance leads: an operator may delete it and
// have it made anew, and senders of messages that it did not keep wait for an answer.
func (s *Shell) goInbox() {
	if _, reads := s.cfg.Actor.(Inboxed); !reads {
		return
	}
	s.spawn(func() {
		for s.pause(inboxEvery); s.ctx.Err() == nil; s.pause(inboxEvery) {
			if !s.Leading() {
				s.mail.post(func() { s.inbox.unstored.forget(time.Now()) })
				continue
			}
			if info, err := s.cfg.Bus.InboxInfo(s.ctx); err == nil {
				s.mail.post(func() { s.inboxIs(info) })
			}
		}
	})
}

// inboxIs compares the inbox with the one that the term names. If it is another one,
// a new term reads it from its beginning.
func (s *Shell) inboxIs(info LogInfo) {
	if s.term() == 0 {
		return
	}
	if s.inbox.born != 0 && bornOf(info) != s.inbox.born {
		s.cfg.Logger.Warn("the inbox was made anew: reading it from its beginning", "made", info.Created)
		s.closeInbox()
		s.doubt()
		return
	}
	for _, one := range s.inbox.unstored.lost(s.inbox.read, info.Last, time.Now()) {
		s.inbox.waiters.withdraw(one.key, one.reply)
		s.answerLost(one)
	}
}

// answerLost answers a sender whose message is not in the inbox: with the verdict of
// an earlier leader, or else that the inbox did not keep it.
func (s *Shell) answerLost(one unstoredRequest) {
	verdict, known := []byte(nil), false
	if one.whole {
		verdict, known = s.recall(one.request)
	}
	switch {
	case known:
		s.send(one.reply, verdict)
	case one.whole || one.led:
		s.send(one.reply, mustJSON(notKept))
	}
}

// notKept is the verdict on a message that the inbox did not keep.
var notKept = subjects.Verdict{
	Verdict: "refused", Code: subjects.ReasonNotKept,
	Text: fmt.Sprintf("the message was not kept: another one with the same Nats-Msg-Id came within the same %v, or the server refused it; send it again", subjects.RepeatWindow),
}

// outlived reports whether a message is older than the log. Then the log was made
// anew beside an inbox that stayed, and the log before it may have dealt with the
// message. The shell passes over it, so that no old job runs a second time.
func (s *Shell) outlived(d Delivery) bool {
	if s.inbox.born == 0 || s.created.UnixNano() <= s.inbox.born || !d.Time.Before(s.created) {
		return false
	}
	if s.inbox.old++; s.inbox.old == 1 {
		s.cfg.Logger.Warn("the log is younger than the inbox: what was published before the log was made is passed over; read it in the stream and publish again what should still run",
			"stream", s.cfg.Bus.Pool().Inbox(), "made", s.created)
	}
	return true
}
