package subjects

// Attribution names the author of, and the reason for, a change to a job, a host, a queue or the pool,
// to show to users.
type Attribution struct {
	User  string `msgpack:"user,omitempty" json:"user,omitempty"`   // proven by the server, "" for none
	Claim string `msgpack:"claim,omitempty" json:"claim,omitempty"` // the unproven name
	Why   string `msgpack:"why,omitempty" json:"why,omitempty"`
}

// By is the author's name, marked as a claim if it is unproven; "" if there is none.
func (w *Attribution) By() string {
	if w == nil {
		return ""
	}
	return Identity(w.User, w.Claim)
}

// Reason is the author's reason, "" for none.
func (w *Attribution) Reason() string {
	if w == nil {
		return ""
	}
	return w.Why
}
