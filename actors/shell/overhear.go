package shell

import (
	"time"

	"lull/actors"
)

// overheard is a message for the inbox as core NATS delivers it: with the reply subject of its
// sender, which the stream does not keep.
type overheard struct {
	key     messageKey
	reply   string
	request *actors.Request
	whole   bool // it has the request, not only its key
}

// overhear posts to the loop what it needs to answer a sender. The key suffices to distinguish
// messages, so the request is left out when the loop is behind. Otherwise a flood of large messages
// would leave their senders without verdicts.
func (s *Shell) overhear(d actors.Delivery) (room bool) {
	r := asRequest(d)
	o := overheard{key: keyOf(r)}
	if len(d.Reply) <= maxReply { // without one it keeps its place among equal messages
		o.reply = d.Reply
	}
	whole := o
	whole.request, whole.whole = r, true
	return o.key.byID && s.mail.offer(d.Size(), func() { s.noteSender(whole) }) || s.mail.offer(0, func() { s.noteSender(o) })
}

// noteSender notes the sender that waits for the verdict on a message, or sends the verdict.
func (s *Shell) noteSender(o overheard) {
	verdict, known := s.inbox.waiters.add(o.key, o.reply)
	if o.reply == "" {
		return
	}
	if _, arrived := s.inbox.waiters.latest.Get(o.key.text); !known && !arrived && o.key.byID {
		s.inbox.unstored.add(o, s.core.Leading(), time.Now())
	}
	if !s.core.Leading() {
		return
	}
	if !known && o.whole {
		verdict, known = s.recall(o.request)
	}
	if known {
		s.inbox.unstored.remove(o.key)
		time.AfterFunc(repeatPause, func() { s.send(o.reply, verdict) })
	}
}
