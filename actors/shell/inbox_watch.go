package shell

import (
	"fmt"
	"time"

	"lull/actors"
	"lull/subjects"
)

// inboxEvery is the interval at which the leader checks that the inbox is still the
// same one.
const inboxEvery = time.Second

// goWatchInbox starts the goroutine that checks the inbox while this instance leads. There are two
// reasons: an operator may have deleted the inbox and created it again, and the senders of messages
// that it did not keep wait for an answer.
func (s *Shell) goWatchInbox() {
	if _, reads := s.cfg.Actor.(actors.Inboxed); !reads {
		return
	}
	s.spawn(func() {
		for s.pause(inboxEvery); s.ctx.Err() == nil; s.pause(inboxEvery) {
			if !s.Leading() {
				s.mail.post(func() { s.inbox.unstored.forget(time.Now()) })
				continue
			}
			asked := time.Now()
			if info, err := s.cfg.Bus.InboxInfo(s.ctx); err == nil {
				s.mail.post(func() { s.checkInbox(info, time.Since(asked)) })
			}
		}
	})
}

// checkInbox compares the inbox with the one that the term reads, and answers the senders of
// messages that the inbox did not keep. ago is the age of info.
func (s *Shell) checkInbox(info actors.LogInfo, ago time.Duration) {
	if !s.core.Leading() {
		return
	}
	s.perform(s.core.CheckInbox(s.moment(), info, ago))
	if !s.core.Leading() {
		return // the inbox was replaced, which ends the term
	}
	for _, one := range s.inbox.unstored.takeLost(s.inbox.read, info.Last, time.Now()) {
		s.inbox.waiters.withdraw(one.key, one.reply)
		s.answerLost(one)
	}
}

// answerLost answers the sender of a message that is not in the inbox: with the verdict of an earlier
// leader if there is one, else with notKept. It sends nothing if it has only the message's key, and the
// message came while another instance led.
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
	Verdict: subjects.VerdictRefused, Code: subjects.ReasonNotKept,
	Text: fmt.Sprintf("the message was not kept: another one with the same Nats-Msg-Id came within the same %v, or the server refused it; send it again", subjects.RepeatWindow),
}
