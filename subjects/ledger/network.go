package ledger

import (
	"fmt"

	"lull/subjects"
)

// Network is what operators say of the links between hosts; nil if they say nothing.
type Network struct {
	subjects.Wired
	At int64                 `msgpack:"At"`           // Unix nanoseconds, by the log
	By *subjects.Attribution `msgpack:"By,omitempty"` // nil if no one is named
}

// wired replaces what is known of the network.
func (s *State) wired(now int64, e *subjects.Wired) Verdict {
	if len(e.Racks) == 0 {
		if s.Network == nil {
			return void("the pool has no network to forget")
		}
		s.Network = nil
		return accepted
	}
	if err := checkWired(e); err != nil {
		return void(err.Error())
	}
	s.Network = &Network{Wired: *e, At: now, By: s.operatorAttribution(e.User, e.Who, "")}
	return accepted
}

// checkWired returns what is wrong with a network beyond what its event's check finds.
func checkWired(e *subjects.Wired) error {
	above := map[string]bool{}
	for i := range e.Above {
		if err := once(above, "switch", &e.Above[i]); err != nil {
			return err
		}
	}
	racks, hosts := map[string]bool{}, map[string]bool{}
	for i := range e.Racks {
		r := &e.Racks[i]
		if err := once(racks, "rack", &r.WiredLink); err != nil {
			return err
		}
		if r.Above != "" && !above[r.Above] {
			return fmt.Errorf("rack %s leads to switch %s, which is not there", r.Name, r.Above)
		}
	}
	for i := range e.NICs {
		if err := once(hosts, "host", &e.NICs[i]); err != nil {
			return err
		}
	}
	return nil
}

func once(seen map[string]bool, kind string, l *subjects.WiredLink) error {
	switch {
	case seen[l.Name]:
		return fmt.Errorf("%s %s is there twice", kind, l.Name)
	case !(l.Up > 0 && l.Down > 0):
		return fmt.Errorf("%s %s has a rate of 0", kind, l.Name)
	}
	seen[l.Name] = true
	return nil
}
