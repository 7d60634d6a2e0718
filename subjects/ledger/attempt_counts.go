package ledger

import "time"

// attemptCounts counts a task's attempts so far, in the upper 13 bits, and how many of the last ones in a
// row were declined or vanished, in the lower 3. Both saturate.
type attemptCounts uint16

const (
	declineBits = 3
	maxDeclines = 1<<declineBits - 1
	maxTries    = 1<<(16-declineBits) - 1
)

func (t attemptCounts) tries() int { return int(t >> declineBits) }

// addTry counts an attempt.
func (t attemptCounts) addTry() attemptCounts {
	if t.tries() == maxTries {
		return t
	}
	return t + 1<<declineBits
}

// resetDeclines forgets the declines: a host had what the task needs.
func (t attemptCounts) resetDeclines() attemptCounts { return t &^ maxDeclines }

// addDecline counts an attempt that was declined or vanished.
func (t attemptCounts) addDecline() attemptCounts {
	if t&maxDeclines == maxDeclines {
		return t
	}
	return t + 1
}

const (
	firstBackoff = int64(time.Second)
	// lastBackoff bounds how long a task waits for a trouble that is over: a
	// disk with room again, a service that answers again.
	lastBackoff = int64(time.Minute)
)

// declines returns how many of the last attempts in a row were declined, vanished or are tried again, at most maxDeclines.
func (t attemptCounts) declines() int { return int(t & maxDeclines) }

// backoff returns how long such a task waits, in nanoseconds: it doubles from one second to a
// minute. With a constant second, a job without its list of inputs made 4,485 attempts in two
// minutes.
func (t attemptCounts) backoff() int64 {
	n := t & maxDeclines
	if n == 0 {
		return 0
	}
	return min(firstBackoff<<(n-1), lastBackoff)
}
