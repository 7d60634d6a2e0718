package guard

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

const (
	// fillSoon is how long before the reserve would be used, at the recent rate, the
	// search for the task that fills the disk begins. fillNow is how long before that the
	// task is ended: its files must be deleted by then, while other tasks go on writing.
	fillSoon = 10 * time.Second
	fillNow  = 3 * time.Second
	// fillLeast is the bytes that an attempt must have written for its end to help; or
	// hold, when none is seen to write.
	fillLeast = 1 << 20
)

// Held is the bytes that an attempt has on the disk.
type Held struct {
	Attempt uint64
	Bytes   int64
}

// Culprit is an attempt that is to end for the disk's sake.
type Culprit struct {
	Attempt uint64
	Why     string // for people
}

// Fill keeps the disk's reserve free: it finds the task that fills the disk before the
// reserve is used. The zero Fill is ready to use.
type Fill struct {
	at      time.Time
	free    int64
	pace    float64          // bytes/s by which free space shrank recently
	from    map[uint64]int64 // bytes of the attempts when the disk began to fill up, nil while it does not
	since   time.Time
	evicted time.Time
}

// Look takes the free bytes and the reserve, and reports whether to call Judge. The
// bytes of attempts, which Judge needs, take long to count.
func (f *Fill) Look(now time.Time, free, reserve int64) (near bool) {
	if elapsed := now.Sub(f.at).Seconds(); !f.at.IsZero() && elapsed > 0 {
		pace := float64(f.free-free) / elapsed
		f.pace = max(pace, f.pace/2, 0) // a task that pauses for one look may still fill the disk
	}
	f.at, f.free = now, free
	if near = f.within(fillSoon, reserve); !near {
		f.from = nil
	}
	return near
}

// within reports whether the reserve is used now, or will be after d.
func (f *Fill) within(d time.Duration, reserve int64) bool {
	return float64(f.free)-f.pace*d.Seconds() < float64(reserve)
}

// Judge takes the bytes that each attempt holds, and names the attempt to end. That is the
// one that wrote most since the disk began to fill up. If the reserve is used and none is
// seen to write, it is the one that holds most. Judge takes two looks to see what writes,
// and waits after it has named one until that one's files can be deleted.
func (f *Fill) Judge(now time.Time, reserve int64, held []Held) (c Culprit, ok bool) {
	if f.from == nil {
		f.begin(now, held)
		return c, false
	}
	if len(held) == 0 || !f.within(fillNow, reserve) || now.Sub(f.evicted) < evictEvery {
		return c, false
	}
	most, why := f.writer(now, held)
	if f.grew(most) < fillLeast && f.free < reserve {
		most, why = holder(held)
	} else if f.grew(most) < fillLeast {
		return c, false
	}
	if most.Bytes < fillLeast {
		return c, false
	}
	f.from, f.evicted = nil, now
	return Culprit{most.Attempt, fmt.Sprintf("%s, more than any other; %d MB of the disk were left, %d MB are kept free",
		why, f.free>>20, reserve>>20)}, true
}

// writer is the attempt that wrote most since the disk began to fill up.
func (f *Fill) writer(now time.Time, held []Held) (most Held, why string) {
	most = largest(held, f.grew)
	return most, fmt.Sprintf("it wrote %d MB in %.1f s", f.grew(most)>>20, now.Sub(f.since).Seconds())
}

// holder is the attempt that holds most.
func holder(held []Held) (most Held, why string) {
	most = largest(held, func(h Held) int64 { return h.Bytes })
	return most, fmt.Sprintf("it held %d MB", most.Bytes>>20)
}

// largest is the one with the most bytes, the younger one of equals.
func largest(held []Held, bytes func(Held) int64) Held {
	return slices.MaxFunc(held, func(a, b Held) int {
		return cmp.Or(cmp.Compare(bytes(a), bytes(b)), cmp.Compare(a.Attempt, b.Attempt))
	})
}

// begin notes the bytes of each attempt when the disk begins to fill up.
func (f *Fill) begin(now time.Time, held []Held) {
	f.from, f.since = make(map[uint64]int64, len(held)), now
	for _, h := range held {
		f.from[h.Attempt] = h.Bytes
	}
}

// grew is the bytes that an attempt wrote since begin; all that it has if it started later.
func (f *Fill) grew(h Held) int64 { return h.Bytes - f.from[h.Attempt] }
