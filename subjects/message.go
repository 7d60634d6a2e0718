package subjects

// Message is an event in its bytes.
type Message struct {
	Subject string
	Body    []byte
	Trace   string // traceparent header, "" for none
	// Optional allows a fold that lacks the kind to skip it.
	Optional bool
}
