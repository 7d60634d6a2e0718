package actors

import (
	"errors"

	"lull/subjects"
)

// Traceparent is the W3C header that carries a trace, in lower case: NATS
// headers are case-sensitive, and other languages write it so.
const Traceparent = "traceparent"

// Optional is the header that marks an event which a fold may pass over if its
// version lacks that kind of event.
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

// Skippable reports whether a reader of the log may pass over a message that Decode
// refused with err. Bytes that are no event change no state. An event of a kind that
// only a newer version has may change it, unless its writer marked it Optional.
func (d Delivery) Skippable(err error) bool {
	return !errors.Is(err, subjects.ErrUnknownKind) || d.Header[Optional] == "1"
}
