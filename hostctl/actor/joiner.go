package actor

// joiner is the agent that wrote a Joined. Snapshots of older versions do not name it.
type joiner struct {
	Instance string `msgpack:"instance,omitempty"`
	Boot     string `msgpack:"boot,omitempty"`
}

// Term is a term of the host as the log records it.
type Term struct {
	Seq      uint64 // of its Joined, 0 for none
	Instance string // of the agent that wrote it, "" if that is not known
	Boot     string // of that agent's machine
	Away     bool   // Left or Lost ended it
}

// LastTerm is the host's last term, as far as the actor has folded the log.
func (a *Actor) LastTerm() Term {
	return Term{Seq: a.term, Instance: a.joiner.Instance, Boot: a.joiner.Boot, Away: a.left || a.lost}
}
