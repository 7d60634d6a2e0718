package capacity

// Account is what a queue had lately beyond its share, or lacked, in slot-seconds or in
// seconds of the pool's capacity. The older it is, the less it counts.
type Account struct {
	Surplus float64 `msgpack:"surplus"` // negative for what it lacked
	Had     float64 `msgpack:"had"`     // what it has since the last Advance
	Fair    float64 `msgpack:"fair"`    // its share since then
}

// Memory is the time for which a lack is remembered, in seconds: that of some long tasks. With a much longer one, a queue that had a bad hour would block the
// others for another.
const Memory = 600.0

// Advance counts the time since the last Advance, and notes what the queue has and should
// have from now on.
// The weight of the past is rational, because an exponential may differ in its
// last bit between architectures.
func (a *Account) Advance(seconds, has, fair float64) {
	a.Surplus += float64((a.Had - a.Fair) * seconds)
	a.Surplus *= Memory / (Memory + seconds)
	bound := Memory * fair / 2
	a.Surplus = min(max(a.Surplus, -bound), bound)
	a.Had, a.Fair = has, fair
}

// Pause makes the time until the next Advance count nothing: no other queue competes, or it is not
// known what this one has.
func (a *Account) Pause() { a.Had = a.Fair }

// Repayment returns by how much the queue should have less than its share now, negative for more, to
// settle its account over so many seconds. It is at most half of the share. The time must not be
// shorter than it takes to give and take back slots, or queues would overshoot in turn.
func (a *Account) Repayment(over float64) float64 {
	return min(max(a.Surplus/over, -a.Fair/2), a.Fair/2)
}
