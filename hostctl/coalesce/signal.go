// Package coalesce has a signal that may be raised any number of times before it is received,
// and is received once then:
//
//	changed := coalesce.New()
//	changed.Raise()    // never blocks
//	<-changed          // one receive, however often it was raised
package coalesce

// Signal is a channel that holds at most one token.
type Signal chan struct{}

// New returns a signal that is not raised.
func New() Signal { return make(Signal, 1) }

// Raise makes the next receive return. It does nothing if the signal is raised already.
func (s Signal) Raise() {
	select {
	case s <- struct{}{}:
	default:
	}
}
