package assigning

import (
	"lull/slotter/facts"
	"lull/subjects/tct"
)

// Movable lists the attempts of a host that hold their tasks and that a free slot of another host
// could take now. Tasks that wait for a slot have been given all that they may use, so a free slot
// is one that none of them can take.
func (a *Assigner) Movable(host string) (attempts []uint64) {
	from := a.Hosts.Of[host]
	if from == nil {
		return nil
	}
	for i := range from.Running {
		at := &from.Running[i]
		if !at.Life.Holds() {
			continue
		}
		if g := a.Group(at.Job, int(at.Life.Task.Stage)); g != nil && a.hasRoom(g.Line, from) {
			attempts = append(attempts, at.Life.ID)
		}
	}
	return attempts
}

// hasRoom reports whether a host besides one has a free slot for a task of the line.
func (a *Assigner) hasRoom(l *facts.Line, besides *facts.Host) bool {
	for _, h := range a.Hosts.ByName {
		if h != besides && (h.Free() > 0 || l.Part > 0 && h.Parts.Spare()) &&
			h.Residual(1) >= tct.MinResidual && a.Eligible(h) && h.Fits(l) {
			return true
		}
	}
	return false
}
