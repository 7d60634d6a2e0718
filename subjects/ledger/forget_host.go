package ledger

import (
	"slices"
	"time"
)

const (
	// keepHosts is how many hosts are kept in any case.
	keepHosts = 1000
	// KeepAway is how long a host that left or was lost is kept at least.
	KeepAway = 30 * 24 * time.Hour
)

// forgetHosts drops the hosts that are over, once they are half of all: in a pool whose
// machines come and go under new names they would be ever more. It looks at all tasks,
// which is why it waits for so many. A host that joins again after that is a new one: a
// pause or drain of it does not hold any more.
func (s *State) forgetHosts(now int64) {
	over := func(h *Host) bool {
		return h.Gone && len(h.attempts) == 0 && now-max(h.Away, h.Since) >= int64(KeepAway)
	}
	count := 0
	for _, h := range s.byID {
		if over(h) {
			count++
		}
	}
	if len(s.byID) < keepHosts || 2*count < len(s.byID) {
		return
	}
	named := s.namedHosts()
	s.dropHosts(func(h *Host) bool { return named[h.id] || !over(h) })
}

// namedHosts says of each id whether a job that is kept names the host: because a
// task's output is there, or was told its pace.
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

// dropHosts drops the hosts that do not stay, and numbers the others anew, in the same order.
func (s *State) dropHosts(stays func(*Host) bool) {
	ids := make([]uint32, len(s.byID)) // by the id before; 0 for what no task needs
	var kept []*Host
	for id, h := range s.byID {
		if !stays(h) {
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
