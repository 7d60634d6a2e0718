package shell

import (
	"crypto/sha256"
	"io"
	"slices"

	"lull/actors"
	"lull/actors/bounded"
)

const (
	// maxWaiters bounds each of the memories below; the oldest go first.
	maxWaiters = 10000
	// maxQueue bounds the senders of one message, or of equal ones.
	maxQueue = 1000
	// maxReply bounds a reply subject, in bytes. A longer one gets no verdict.
	maxReply = 256
	// waitersBytes bounds the bytes of reply subjects that wait, and of verdicts.
	waitersBytes = 16 << 20
)

// waiters maps inbox messages to the reply subjects that wait for their verdicts. A
// message arrives twice, in either order: the core copy has the reply subject, the
// stream's copy has the sequence. What joins them is all that the sender gave: the
// id alone would not do, since another sender may use the same.
type waiters struct {
	replies  bounded.Map[string, []string] // message → reply subjects that wait
	keys     bounded.Map[uint64, arrival]  // inbox sequence → message
	verdicts bounded.Map[string, [][]byte] // message → verdicts that are there: one an id
	latest   bounded.Map[string, uint64]   // message → inbox sequence of its latest copy
}

type arrival struct {
	key         messageKey
	hasCoreCopy bool // its core copy came or will come to us
}

type messageKey struct {
	text string
	byID bool
}

func newWaiters(limit int) waiters {
	w := waiters{bounded.New[string, []string](limit), bounded.New[uint64, arrival](limit), bounded.New[string, [][]byte](limit), bounded.New[string, uint64](limit)}
	w.replies.Weigh(waitersBytes, func(list []string) (n int) {
		for _, to := range list {
			n += len(to) + 16
		}
		return n
	})
	w.verdicts.Weigh(waitersBytes, func(list [][]byte) (n int) {
		for _, verdict := range list {
			n += len(verdict) + 24
		}
		return n
	})
	return w
}

func keyOf(r *actors.Request) messageKey {
	hash := sha256.New()
	for _, part := range []string{r.Subject, r.Client, r.MessageID} {
		io.WriteString(hash, part+"\n") //nolint:errcheck // a hash takes everything; no header holds a line end
	}
	hash.Write(r.Body)
	return messageKey{string(hash.Sum(nil)), r.MessageID != ""}
}

// add notes a sender, or returns the verdict if it is known already. That is so for a repeat of an
// id, which the stream does not keep again. It is so as well for a core copy that came after the
// verdict. Equal bytes without an id are messages of their own, so each takes one verdict away.
func (w *waiters) add(key messageKey, reply string) (verdict []byte, known bool) {
	if given, ok := w.verdicts.Get(key.text); ok {
		if !key.byID {
			w.takeVerdict(key.text, given)
		}
		return given[0], true
	}
	queue, _ := w.replies.Get(key.text)
	if len(queue) < maxQueue {
		w.replies.Put(key.text, append(queue, reply))
	}
	return nil, false
}

// takeVerdict takes the first verdict away: equal messages have one each.
func (w *waiters) takeVerdict(key string, given [][]byte) {
	w.verdicts.Take(key)
	if len(given) > 1 {
		w.verdicts.Put(key, given[1:])
	}
}

// arrived ties a sequence of the inbox to the message.
func (w *waiters) arrived(seq uint64, a arrival) {
	w.keys.Put(seq, a)
	w.latest.Put(a.key.text, seq)
}

// withdraw removes a reply subject that add noted: its message is not in the inbox.
func (w *waiters) withdraw(key messageKey, reply string) {
	queue, _ := w.replies.Take(key.text)
	if i := slices.Index(queue, reply); i >= 0 {
		queue = slices.Delete(slices.Clone(queue), i, i+1)
	}
	if len(queue) > 0 {
		w.replies.Put(key.text, queue)
	}
}

// settle returns the reply subjects that wait for the verdict on seq: all senders of one id, or
// else the sender that came first of equal messages.
func (w *waiters) settle(seq uint64, verdict []byte) []string {
	a, ok := w.keys.Take(seq)
	if !ok {
		return nil
	}
	queue, _ := w.replies.Take(a.key.text)
	switch {
	case a.key.byID:
		w.verdicts.Put(a.key.text, [][]byte{verdict})
	case len(queue) > 1:
		w.replies.Put(a.key.text, queue[1:])
		queue = queue[:1]
	case len(queue) == 0 && a.hasCoreCopy:
		if given, _ := w.verdicts.Take(a.key.text); len(given) < maxQueue {
			w.verdicts.Put(a.key.text, append(given, verdict))
		}
	}
	return withoutEmpty(queue)
}

// waiting returns the reply subjects that settle would return now, and goes on to keep them.
func (w *waiters) waiting(seq uint64) []string {
	a, ok := w.keys.Get(seq)
	if !ok {
		return nil
	}
	queue, _ := w.replies.Get(a.key.text)
	if !a.key.byID && len(queue) > 1 {
		queue = queue[:1]
	}
	return withoutEmpty(queue)
}

// withoutEmpty drops senders that gave no reply subject: they only keep their
// place among equal messages.
func withoutEmpty(replies []string) []string {
	return slices.DeleteFunc(slices.Clone(replies), func(to string) bool { return to == "" })
}
