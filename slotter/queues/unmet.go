package queues

import "time"

// Unmet is the time for which a claim to slots has not been met: that of a queue to its
// share, or of a job to what its deadline needs. The zero value is a claim that is met.
type Unmet struct {
	Since int64 `msgpack:"since"` // when it was first unmet, or slots were last to be cleared; 0: it is met
	Wait  int64 `msgpack:"wait"`  // from then on until slots are cleared
}

// longestWait is the longest time that a claim waits. The wait doubles with each time that
// clearing slots did not meet the claim: something else keeps the job from them.
const longestWait = int64(10 * time.Minute)

// Begin starts the wait, if the claim was met until now.
func (u *Unmet) Begin(now int64, wait time.Duration) {
	if u.Since == 0 {
		u.Since, u.Wait = now, int64(wait)
	}
}

// Until is when the wait is over.
func (u *Unmet) Until() int64 { return u.Since + u.Wait }

// Due reports whether the claim has been unmet for long enough for slots to be cleared.
func (u *Unmet) Due(now int64) bool { return u.Since != 0 && u.Until() <= now }

// Repeat has a claim that is due wait anew, for longer.
func (u *Unmet) Repeat(now int64) {
	if u.Due(now) {
		u.Since, u.Wait = now, min(max(2*u.Wait, int64(time.Second)), longestWait)
	}
}
