package page

import (
	"cmp"
	"slices"
	"strings"

	"lull/subjects"
	"lull/subjects/ledger"
)

// pageLines bounds the hosts, models, tenants and queues of one answer. Each takes some hundred bytes, and
// pageBytes bounds those that take more.
const pageLines = 1000

// Hosts answers a question for hosts. It leaves out those that were given up for good.
func Hosts(s *ledger.State, ask *subjects.HostsAsk) *subjects.HostsAnswer {
	answer := &subjects.HostsAnswer{Folded: subjects.Folded{Seq: s.Seq}}
	bytes := 0
	for _, h := range s.Hosts()[hostsUntil(s, ask.After):] {
		if h.Forgotten {
			continue
		}
		if n := len(answer.Hosts); n == pageLines || bytes > pageBytes {
			answer.Next = answer.Hosts[n-1].Host
			break
		}
		line := hostLine(s, h)
		answer.Hosts = append(answer.Hosts, line)
		bytes += hostBytes(&line)
	}
	return answer
}

// hostsUntil is the number of hosts up to a name, this one included.
func hostsUntil(s *ledger.State, name string) int {
	at, found := slices.BinarySearchFunc(s.Hosts(), name, func(h *ledger.Host, name string) int { return strings.Compare(h.Name, name) })
	if found {
		at++
	}
	return at
}

// hostLine is a host as lists show it: of a paused pool as paused.
func hostLine(s *ledger.State, h *ledger.Host) subjects.HostLine {
	state, word := h.State(), h.HeldBy
	switch {
	case h.Gone:
		word = nil
	case word == nil:
		word = s.PausedBy
	}
	if s.Paused && !h.Gone { // also one that joined after the pool was paused
		state = "paused"
	}
	class := ""
	if learnt := s.Classified(h); learnt != nil {
		class = learnt.Class
	}
	return subjects.HostLine{
		TenantClass: class,
		Host:        h.Name, State: state, Gone: h.Gone, HeldBy: word, Slots: h.Joined.Slots, Busy: uint32(h.Busy()), Cores: h.Joined.Cores,
		Memory: h.Joined.Memory, Labels: slices.Sorted(slices.Values(h.Joined.Labels)),
		Class: h.Joined.Class, Version: h.Joined.Version, Since: h.Since, Tenant: s.Owners.Of(h), Heard: cmp.Or(h.Heard, h.Away),
	}
}

func hostBytes(l *subjects.HostLine) int {
	n := 256 + len(l.Host) + len(l.Class) + len(l.Version) + len(l.Tenant) + len(l.TenantClass)
	if w := l.HeldBy; w != nil {
		n += len(w.User) + len(w.Claim) + len(w.Why)
	}
	for _, label := range l.Labels {
		n += len(label)
	}
	return n
}
