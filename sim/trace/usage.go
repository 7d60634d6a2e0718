package trace

import (
	"io"
	"time"
)

// Series is the usage of a host as a file has it.
type Series struct {
	ID      string
	Line    int           // the first line of it
	Machine Machine       // zero where it is unknown
	Begin   time.Duration // time of the first sample on the file's clock
	Every   time.Duration
	Percent []float32 // of the host; NaN for a missing sample. More than 100 is read as 100
}

// Usage reads usage in either form, like Hosts, and calls each with one series after the other.
// Missing samples stay missing, however many there are. The pool that it returns has no hosts.
func Usage(r io.Reader, file string, o HostOptions, each func(Series)) (*Pool, error) {
	o.MaxMissing, o.each = 1, each
	return Hosts(r, file, o)
}
