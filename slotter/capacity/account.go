package capacity

// Account is what a queue had beyond its share of the slots of late, or lacked:
// slot-seconds, the older the less they count.
type Account struct {
	Surplus float64 `msgpack:"surplus"` // slot-seconds, negative for what it lacked
	Held    float64 `msgpack:"held"`    // slots that it has since the last Advance
	Fair    float64 `msgpack:"fair"`    // slots that its share would be
}

// Memory is how long a lack is made up for, in seconds: some tasks' time. Who
// had ten slots too few for five minutes gets ten more than his share for the
// next minutes, in the end; with a shorter memory long tasks would never be made
// up for, with a longer one a queue that had a quiet hour would block the others.
const Memory = 300.0

// Advance counts what passed since the last one, and notes what is from now on.
// The weight of the past is rational, because an exponential may differ in its
// last bit between architectures.
func (a *Account) Advance(seconds, held, fair float64) {
	a.Surplus += float64((a.Held - a.Fair) * seconds)
	a.Surplus *= Memory / (Memory + seconds)
	bound := Memory * max(fair, 1) / 2
	a.Surplus = min(max(a.Surplus, -bound), bound)
	a.Held, a.Fair = held, fair
}

// Owes is how many slots the queue should have fewer than its share now, negative
// for more: at most half of the share.
func (a *Account) Owes() float64 { return a.Surplus / Memory }
