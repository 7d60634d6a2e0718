package ledger

import (
	"cmp"
	"slices"
	"strings"

	"lull/subjects"
)

// pageLines bounds the hosts and models of one answer. Each takes some hundred bytes, and
// pageBytes bounds those that take more.
const pageLines = 1000

// HostPage answers a question for hosts. It leaves out those that were given up for good.
func (s *State) HostPage(ask *subjects.HostsAsk) *subjects.HostsAnswer {
	answer := &subjects.HostsAnswer{Folded: subjects.Folded{Seq: s.Seq}}
	bytes := 0
	for _, h := range s.byName[s.hostsUntil(ask.After):] {
		if h.Forgotten {
			continue
		}
		if n := len(answer.Hosts); n == pageLines || bytes > pageBytes {
			answer.Next = answer.Hosts[n-1].Host
			break
		}
		line := s.hostLine(h)
		answer.Hosts = append(answer.Hosts, line)
		bytes += hostBytes(&line)
	}
	return answer
}

// hostsUntil is the number of hosts up to a name, this one included.
func (s *State) hostsUntil(name string) int {
	at, found := slices.BinarySearchFunc(s.byName, name, func(h *Host, name string) int { return strings.Compare(h.Name, name) })
	if found {
		at++
	}
	return at
}

// hostLine is a host as lists show it: of a paused pool as paused.
func (s *State) hostLine(h *Host) subjects.HostLine {
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
	if said := s.TenantOf(h); said != nil {
		class = said.Class
	}
	return subjects.HostLine{
		TenantClass: class,
		Host:        h.Name, State: state, Gone: h.Gone, HeldBy: word, Slots: h.Joined.Slots, Busy: uint32(h.Busy()), Cores: h.Joined.Cores,
		Memory: h.Joined.Memory, Labels: slices.Sorted(slices.Values(h.Joined.Labels)),
		Class: h.Joined.Class, Version: h.Joined.Version, Since: h.Since, Tenant: h.Joined.Tenant, Heard: cmp.Or(h.Heard, h.Away),
	}
}

func hostBytes(l *subjects.HostLine) int {
	n := 256 + len(l.Host) + len(l.Class) + len(l.Version) + len(l.Tenant) + len(l.TenantClass) + weighWord(l.HeldBy)
	for _, label := range l.Labels {
		n += len(label)
	}
	return n
}

// ModelPage answers a question for models of task times.
func (s *State) ModelPage(ask *subjects.ModelsAsk) *subjects.ModelsAnswer {
	answer := &subjects.ModelsAnswer{Folded: subjects.Folded{Seq: s.Seq}}
	if ask.After == "" {
		for _, a := range s.accuracies {
			answer.Types = append(answer.Types, subjects.TypeLine{Type: a.Type, Runs: a.Runs, Predicted: a.Predicted, True: a.True, Error: a.Error, Unfit: !a.Fits()})
		}
	}
	bytes := 0
	at, found := slices.BinarySearch(s.models.names, ask.After)
	if found {
		at++
	}
	for _, name := range s.models.names[at:] {
		if n := len(answer.Models); n == pageLines || bytes > pageBytes {
			answer.Next = answer.Models[n-1].Model
			break
		}
		answer.Models = append(answer.Models, subjects.ModelLine{Model: name, Fitted: s.models.of[name]})
		bytes += modelBytes + len(name)
	}
	return answer
}

// modelBytes is what a model takes in an answer.
const modelBytes = 300
