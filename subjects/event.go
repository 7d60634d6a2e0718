package subjects

// Event is one fact of the log. The set is closed: see kinds. Times in events
// are Unix nanoseconds, durations are seconds, memory and data are bytes, CPU
// is in cores unless a field says otherwise.
type Event interface {
	// route gives the tokens of the event's subject after the pool.
	route() []string
	// fill takes the tokens back from a subject that matches the kind.
	fill(tokens []string)
}
