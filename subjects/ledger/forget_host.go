package ledger

import (
	"slices"
	"time"
)

const (
	// keepHosts is the number of hosts that are always kept.
	keepHosts = 1000
	// KeepAway is the least time for which a host that left or was lost is kept.
	KeepAway = 30 * 24 * time.Hour
)

// forgetHosts drops hosts that are away for good, once they are half of all. In a pool whose
// machines come and go under new names, their number would grow without limit. It looks at all
// tasks, so it runs rarely. A host that joins again afterwards is a new one, no longer paused or
// drained.
func (s *State) forgetHosts(now int64) {
	if len(s.byID) < keepHosts || 2*s.gone < len(s.byID) {
		return
	}
	over := func(h *Host) bool {
		return h.Gone && len(h.attempts) == 0 && (h.Forgotten || now-max(h.Away, h.Since) >= int64(KeepAway))
	}
	count := 0
	for _, h := range s.byID {
		if over(h) {
			count++
		}
	}
	if 2*count < len(s.byID) {
		return
	}
	named := s.namedHosts()
	s.dropHosts(func(h *Host) bool { return named[h.id] || !over(h) })
}

// namedHosts reports for each id whether a kept job names the host: a task's output is there, or
// the host got the job's pace.
func (s *State) namedHosts() []bool {
	named := make([]bool, len(s.byID))
	for j := range s.order.All() {
		for _, p := range j.paces {
			named[p.Host.id] = true
		}
		for _, st := range j.Stages {
			for i := range st.tasks {
				if t := &st.tasks[i]; t.state == Held || t.state == Done {
					named[t.host] = true
				}
			}
		}
	}
	return named
}

// dropHosts drops the hosts that are not to stay, and renumbers the others in the same order.
func (s *State) dropHosts(stays func(*Host) bool) {
	ids := make([]uint32, len(s.byID)) // new id by old id; 0 for hosts that no task names
	var kept []*Host
	for id, h := range s.byID {
		if !stays(h) {
			s.setGone(h, false)
			delete(s.hosts, h.Name)
			continue
		}
		ids[id] = uint32(len(kept))
		kept = append(kept, h)
	}
	for j := range s.order.All() {
		for _, st := range j.Stages {
			for i := range st.tasks {
				st.tasks[i].host = ids[st.tasks[i].host]
			}
		}
	}
	for id, h := range kept {
		h.id = uint32(id)
	}
	s.byID = kept
	s.byName = slices.DeleteFunc(s.byName, func(h *Host) bool { return s.hosts[h.Name] != h })
}
