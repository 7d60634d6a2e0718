package actors

import "time"

// loners are core copies of messages with an id whose copies in the inbox have not
// come: by message, with those who wait. The server drops a message whose id came
// just before, and asks nobody whose it was.
type loners struct {
	by    map[string][]loner
	bytes int // of bodies
}

type loner struct {
	key     messageKey
	reply   string
	request Request // without its body, if bodies take too much
	whole   bool
	led     bool // it came while this instance led
	came    time.Time
	last    uint64 // end of the inbox, some time after it came, plus 1; 0: not looked yet
}

const (
	// lonely is how long the copy in the inbox may take: much longer than it does.
	lonely = 2 * time.Second
	// stale is how long a standby remembers: longer than it takes to lead.
	stale      = time.Minute
	loneBodies = 4 << 20 // bytes of bodies that are kept
)

func newLoners() loners { return loners{by: map[string][]loner{}} }

func (l *loners) add(key messageKey, r Request, reply string, led bool, now time.Time) {
	if len(l.by) >= maxWaiters || len(l.by[key.text]) >= maxWaiters {
		return
	}
	one := loner{key: key, reply: reply, request: r, led: led, came: now}
	if one.whole = l.bytes+len(r.Body) <= loneBodies; one.whole {
		l.bytes += len(r.Body)
	} else {
		one.request.Body = nil
	}
	l.by[key.text] = append(l.by[key.text], one)
}

// found drops those whose message has come.
func (l *loners) found(key messageKey) {
	for _, one := range l.by[key.text] {
		l.bytes -= len(one.request.Body)
	}
	delete(l.by, key.text)
}

// forget drops those that came long ago.
func (l *loners) forget(now time.Time) {
	l.sift(func(one *loner) bool { return now.Sub(one.came) >= stale })
}

// lost removes and returns those whose message is not in the inbox: it was read to
// where it ended long after the message came.
func (l *loners) lost(read, last uint64, now time.Time) (lost []loner) {
	l.sift(func(one *loner) bool {
		if one.last == 0 && now.Sub(one.came) >= lonely {
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

func (l *loners) sift(drop func(*loner) bool) {
	for text, waits := range l.by {
		var left []loner
		for _, one := range waits {
			if drop(&one) {
				l.bytes -= len(one.request.Body)
			} else {
				left = append(left, one)
			}
		}
		if l.by[text] = left; len(left) == 0 {
			delete(l.by, text)
		}
	}
}
