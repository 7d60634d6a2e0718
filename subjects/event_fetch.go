package subjects

import (
	"errors"
	"strings"
)

// MaxFetchedRacks is how many racks a Fetch names at most.
const MaxFetchedRacks = 8

// OtherRacks stands in a Fetch for all racks beyond those.
const OtherRacks = "*"

// Fetch is what an attempt copied of earlier stages' outputs from other hosts before its process
// started. It is zero if all was on its own host, and from hosts of earlier releases.
type Fetch struct {
	// Fetching is how long it took to copy the outputs of earlier stages from other hosts, before the
	// process started, in seconds.
	Fetching float64 `msgpack:"fetching,omitempty"`
	// Fetched is what was copied from each of at most eight racks, and from all others as "*".
	Fetched []Fetched `msgpack:"fetched,omitempty"`
}

// Fetched is what an attempt copied from the hosts of one rack.
type Fetched struct {
	Rack  string `msgpack:"rack,omitempty" json:"rack"` // label `rack=` of the hosts, "" for none
	Bytes int64  `msgpack:"bytes" json:"bytes"`         // bytes of files
	// Seconds is for how long a transfer from there was under way.
	Seconds float64 `msgpack:"seconds" json:"seconds"`
}

// Copied is the number of bytes that came.
func (f *Fetch) Copied() (bytes int64) {
	for i := range f.Fetched {
		bytes += f.Fetched[i].Bytes
	}
	return bytes
}

// Given is what readers of the attempt's output get, in bytes. What the task wrote to stdout and
// stderr counts too, if it wrote files: the log has no sum without.
func (e *Finished) Given() int64 {
	if e.Files == 0 {
		return 0
	}
	return e.Out
}

func (f *Fetch) check() error {
	if err := errors.Join(within(bound{"fetching", f.Fetching, 0, maxSeconds}),
		atMost("the number of racks", len(f.Fetched), MaxFetchedRacks+1)); err != nil {
		return err
	}
	for i := range f.Fetched {
		from := &f.Fetched[i]
		if err := errors.Join(atMost("the length of a rack's name", len(from.Rack), maxToken),
			within(count("fetched bytes", from.Bytes), bound{"fetched seconds", from.Seconds, 0, maxSeconds})); err != nil {
			return err
		}
	}
	return nil
}

// rackLabel begins the label that names a host's rack.
const rackLabel = "rack="

// Rack is the rack of a host with these labels; "" if no label names one, or the name is too long
// for a token.
func Rack(labels []string) string {
	for _, label := range labels {
		if rack, ok := strings.CutPrefix(label, rackLabel); ok && len(rack) <= maxToken {
			return rack
		}
	}
	return ""
}
