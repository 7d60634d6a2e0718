package actors

import (
	"errors"

	"lull/subjects"
)

// Optional is the header that marks an event which a fold may pass over when
// it does not know its kind.
const Optional = "Lull-Optional"

// Header returns the headers that a message of the log carries, nil for none.
func Header(m subjects.Message) map[string]string {
	if m.Trace == "" && !m.Optional {
		return nil
	}
	header := make(map[string]string, 2)
	if m.Trace != "" {
		header[Traceparent] = m.Trace
	}
	if m.Optional {
		header[Optional] = "1"
	}
	return header
}

// Passable reports whether a reader of the log may go on behind a message that
// Decode refused with err. Bytes that are no event mean nothing to anybody. A
// kind that only a newer version knows may mean a lot, unless its writer marked
// it optional.
func (d Delivery) Passable(err error) bool {
	return !errors.Is(err, subjects.ErrUnknownKind) || d.Header[Optional] == "1"
}
