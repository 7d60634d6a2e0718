package faults

import (
	"errors"
	"sync"
	"time"
)

// Op is an effect on the bus: a call that others can see the outcome of.
type Op string

// The effects. Any counts all of them.
const (
	Any        Op = "any"
	Append     Op = "append"
	Save       Op = "save"
	Trim       Op = "trim"
	Publish    Op = "publish"
	Quarantine Op = "quarantine"
	Lease      Op = "lease"
	Inbox      Op = "inbox" // opening its reader
	Release    Op = "release"
	PutHistory Op = "history"
)

// How an effect goes wrong.
type How int

const (
	// LoseCall means: it does not happen, and the caller cannot know.
	LoseCall How = iota
	// LoseAck means: it happens, and the caller cannot know.
	LoseAck
	// Late means: the caller gets "outcome unknown"; the effect happens right after the next one of the
	// same kind. For appends.
	Late
	// Refuse means: the effect does not happen, and the caller gets the error of a full log.
	Refuse
	// RefuseForGood means: it does not happen, and the caller gets ErrRefused.
	RefuseForGood
	// Crowd means: it does not happen, and the caller gets ErrBatches.
	Crowd
	// Crash means: it happens, and then nothing does any more: every later call
	// fails without effect, as for a process that was killed.
	Crash
)

// Fault says what goes wrong with the Nth effect of a kind, counted from 1.
type Fault struct {
	Op    Op
	Nth   int
	How   How
	Delay time.Duration // before the effect, also without another fault
}

// ErrCrashed is what a crashed bus answers.
var ErrCrashed = errors.New("faults: this process has crashed")

// script counts effects and finds what is to go wrong with them.
type script struct {
	mu struct {
		sync.Mutex
		faults  []Fault
		counts  map[Op]int
		crashed bool
	}
	crash chan struct{}
}

// next counts an effect and returns its fault.
func (s *script) next(op Op) (f Fault, faulty bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.mu.crashed {
		return f, false, ErrCrashed
	}
	s.mu.counts[op]++
	s.mu.counts[Any]++
	for _, f := range s.mu.faults {
		if (f.Op == op || f.Op == Any) && s.mu.counts[f.Op] == f.Nth {
			s.mu.crashed = f.How == Crash
			return f, true, nil
		}
	}
	return f, false, nil
}
