package shell

import (
	"time"

	"lull/actors"
)

// unstored holds requests with a message id of which only the core copy has arrived,
// not yet the inbox's. It never arrives if the server dropped the message as a
// duplicate: the server compares ids alone, also those of different senders.
type unstored struct {
	by    map[string][]unstoredRequest // by messageKey.text
	bytes int                          // of requests
}

// unstoredRequest is one of them, with the subject on which its sender waits.
type unstoredRequest struct {
	overheard
	led  bool // it came while this instance led
	came time.Time
	last uint64 // end of the inbox when storedWithin had passed, plus 1; 0 before
}

const (
	// storedWithin is how long the inbox's copy may take, far beyond what it does.
	storedWithin = 2 * time.Second
	// forgetAfter is how long a standby keeps a request: longer than a takeover takes.
	forgetAfter   = time.Minute
	unstoredBytes = 4 << 20 // limit of the requests kept; of others the key alone is
)

func newUnstored() unstored { return unstored{by: map[string][]unstoredRequest{}} }

func (l *unstored) add(o overheard, led bool, now time.Time) {
	if len(l.by) >= maxWaiters || len(l.by[o.key.text]) >= maxWaiters {
		return
	}
	if o.whole = o.whole && l.bytes+o.request.Size() <= unstoredBytes; !o.whole {
		o.request = &actors.Request{}
	}
	l.bytes += o.request.Size()
	l.by[o.key.text] = append(l.by[o.key.text], unstoredRequest{overheard: o, led: led, came: now})
}

// remove drops the requests whose message has arrived from the inbox.
func (l *unstored) remove(key messageKey) {
	for _, one := range l.by[key.text] {
		l.bytes -= one.request.Size()
	}
	delete(l.by, key.text)
}

// forget drops the requests that came forgetAfter ago.
func (l *unstored) forget(now time.Time) {
	l.removeIf(func(one *unstoredRequest) bool { return now.Sub(one.came) >= forgetAfter })
}

// takeLost removes and returns the requests whose message is not in the inbox: the shell has read the
// inbox up to its end, as it was storedWithin after the message came.
func (l *unstored) takeLost(read, last uint64, now time.Time) (lost []unstoredRequest) {
	l.removeIf(func(one *unstoredRequest) bool {
		if one.last == 0 && now.Sub(one.came) >= storedWithin {
			one.last = last + 1
		}
		if one.last == 0 || read+1 < one.last {
			return false
		}
		lost = append(lost, *one)
		return true
	})
	return lost
}

// removeIf removes the requests for which drop is true.
func (l *unstored) removeIf(drop func(*unstoredRequest) bool) {
	for text, waits := range l.by {
		var left []unstoredRequest
		for _, one := range waits {
			if drop(&one) {
				l.bytes -= one.request.Size()
			} else {
				left = append(left, one)
			}
		}
		if l.by[text] = left; len(left) == 0 {
			delete(l.by, text)
		}
	}
}
