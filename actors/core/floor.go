package core

import (
	"time"

	"lull/actors"
)

// maxLooks bounds the looks at the inbox that are kept.
const maxLooks = 256

// floors tell when a message was published at the earliest. The server's stamp does not tell that
// once the server's clock was set back: it may be years before the time that the log has come to,
// so each relative deadline would be over. What is certain is the order: a message behind the end
// that the inbox had at some moment was published after that moment.
type floors struct {
	looks []look        // with rising ends, and rising times
	apart time.Duration // looks nearer to each other than this are left out, but the last one
}

// look is an end of the inbox, and the Elapsed at which the inbox ended there for the last time.
type look struct {
	end uint64
	at  time.Duration
}

// correct replaces the stamp of a message that is out of the log's time: deadlines count from it. A
// message may have waited for long, but not since before the inbox was seen to end in front of it.
func (f *floors) correct(r *actors.Request, now time.Time, elapsed time.Duration) {
	if r.Time.After(now.Add(stampTolerance)) {
		r.Time = now
	}
	if since, known := f.publishedAfter(r.Seq); known {
		if floor := now.Add(since - elapsed); r.Time.Before(floor.Add(-stampTolerance)) {
			r.Time = floor
		}
	}
	if !r.Early { // it comes again in its turn, behind others
		f.discardBefore(r.Seq)
	}
}

// observe notes that the inbox ended with a sequence at a time. Any of the looks may be left out: the
// others answer as truly, with earlier times.
func (f *floors) observe(end uint64, at time.Duration) {
	n := len(f.looks)
	switch {
	case n > 0 && end < f.looks[n-1].end:
	case n > 0 && end == f.looks[n-1].end:
		f.looks[n-1].at = max(f.looks[n-1].at, at)
	case n > 1 && f.looks[n-1].at-f.looks[n-2].at < f.apart:
		f.looks[n-1] = look{end, at}
	default:
		f.looks = append(f.looks, look{end, at})
		f.thinOut()
	}
}

// thinOut drops looks that are near to others, if there are too many.
func (f *floors) thinOut() {
	if len(f.looks) <= maxLooks {
		return
	}
	f.apart = max(2*f.apart, time.Second)
	kept := f.looks[:1]
	for _, l := range f.looks[1:] {
		if n := len(kept); n > 1 && kept[n-1].at-kept[n-2].at < f.apart {
			kept[n-1] = l
			continue
		}
		kept = append(kept, l)
	}
	f.looks = kept
}

// publishedAfter returns the Elapsed after which a message was published. It reports false if nothing is known.
func (f *floors) publishedAfter(seq uint64) (at time.Duration, ok bool) {
	n := 0
	for n < len(f.looks) && f.looks[n].end < seq {
		n++
	}
	if n == 0 {
		return 0, false
	}
	return f.looks[n-1].at, true
}

// discardBefore drops the looks that messages from a sequence on do not need.
func (f *floors) discardBefore(seq uint64) {
	for len(f.looks) > 1 && f.looks[1].end < seq {
		f.looks = f.looks[1:]
	}
	if len(f.looks) < 2 {
		f.apart = 0
	}
}
