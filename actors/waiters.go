package actors

import (
	"crypto/sha256"
	"encoding/hex"
)

// maxWaiters bounds each of the memories below; the oldest go first.
const maxWaiters = 10000

// waiters knows who waits for the verdict on which inbox message. A message
// is recognised by its id, or else by its bytes: the core copy has the reply
// subject, the stream's copy has the sequence, and nothing else joins them.
type waiters struct {
	replies bounded[string, []string] // message → reply subjects that wait
	keys    bounded[uint64, string]   // inbox sequence → message
	given   bounded[string, []byte]   // message → verdict that was given
}

func newWaiters(limit int) waiters {
	return waiters{newBounded[string, []string](limit), newBounded[uint64, string](limit), newBounded[string, []byte](limit)}
}

func waitKey(r Request) string {
	if r.MessageID != "" {
		return "id " + r.MessageID
	}
	sum := sha256.Sum256(append([]byte(r.Subject+" "), r.Body...))
	return hex.EncodeToString(sum[:16])
}

// add notes a sender. When the verdict on a message of this id was given
// already, this is a repeat: the stream keeps it no second time, and the
// verdict is returned to be sent again. Without an id equal bytes are a new
// message, so the earlier verdict is not theirs.
func (w *waiters) add(key, reply string, byID bool) (verdict []byte, known bool) {
	if byID {
		if verdict, known = w.given.get(key); known {
			return verdict, true
		}
	}
	queue, _ := w.replies.get(key)
	if len(queue) < maxWaiters {
		w.replies.put(key, append(queue, reply))
	}
	return nil, false
}

// arrived ties a sequence of the inbox to the message.
func (w *waiters) arrived(seq uint64, key string) { w.keys.put(seq, key) }

// settle returns the reply subjects that wait for the verdict on seq: all
// senders of one id, or else the sender that came first of equal messages.
func (w *waiters) settle(seq uint64, verdict []byte) []string {
	key, ok := w.keys.take(seq)
	if !ok {
		return nil
	}
	queue, _ := w.replies.take(key)
	if key[:3] == "id " {
		w.given.put(key, verdict)
	} else if len(queue) > 1 {
		w.replies.put(key, queue[1:])
		queue = queue[:1]
	}
	return withoutEmpty(queue)
}

// withoutEmpty drops senders that gave no reply subject: they only keep their
// place among equal messages.
func withoutEmpty(replies []string) []string {
	var kept []string
	for _, reply := range replies {
		if reply != "" {
			kept = append(kept, reply)
		}
	}
	return kept
}
