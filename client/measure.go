package client

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"lull/subjects"
	"lull/subjects/ledger"
)

// Errors of Probes.
var (
	ErrNoNetwork = errors.New("the pool's network is unknown: describe it with lull topology set FILE first")
	ErrNoProbes  = errors.New("no agent that is up in a rack of the topology was started with --probe: start one in each rack with it, and run lull topology measure again")
)

// Probe measures the rate of a transfer from a host in one rack to a host in another rack.
type Probe struct {
	From     string  `json:"from"` // rack
	To       string  `json:"to"`   // rack
	FromHost string  `json:"from_host"`
	ToHost   string  `json:"to_host"`
	Rate     float64 `json:"rate"`            // bytes/s; 0 if the probe failed
	Error    string  `json:"error,omitempty"` // why the probe failed
	most     float64 // bytes/s that the NICs of both hosts can carry
}

// Probes lists the probes that measure the links between the racks of the topology: one in each direction
// for each pair of racks that have an agent with --probe. without names the racks that have no such agent.
func Probes(s *ledger.State) (all []Probe, without []string, err error) {
	if s.Network == nil {
		return nil, nil, ErrNoNetwork
	}
	of := map[string]*ledger.Host{}
	for _, h := range s.Hosts() {
		if rack := subjects.Rack(h.Joined.Labels); h.Open() && h.Joined.Probe && of[rack] == nil {
			of[rack] = h
		}
	}
	var racks []string
	for i := range s.Network.Racks {
		name := s.Network.Racks[i].Name
		if of[name] == nil {
			without = append(without, name)
			continue
		}
		racks = append(racks, name)
	}
	switch len(racks) {
	case 0:
		return nil, without, ErrNoProbes
	case 1:
		return nil, without, fmt.Errorf("only rack %s has an agent that was started with --probe, and links are measured between two racks: start one in another rack with it", racks[0])
	}
	for _, from := range racks {
		for _, to := range racks {
			if from != to {
				a, b := of[from], of[to]
				all = append(all, Probe{From: from, To: to, FromHost: a.Name, ToHost: b.Name, most: min(nic(s, a).Up, nic(s, b).Down)})
			}
		}
	}
	return all, without, nil
}

// nic returns the rates of a host's NIC: those that the topology declares, else the one that the host's
// kernel reports, else subjects.DefaultNIC.
func nic(s *ledger.State, h *ledger.Host) subjects.WiredLink {
	for _, n := range s.Network.NICs {
		if n.Name == h.Name {
			return n
		}
	}
	rate := cmp.Or(h.Joined.NIC, subjects.DefaultNIC)
	return subjects.WiredLink{Name: h.Name, Up: rate, Down: rate}
}

// Measure carries out the probe, and sets its Rate or Error.
func (p *Probe) Measure(ctx context.Context, c *Client, s *ledger.State) {
	const patience = 15 * time.Second
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	at, err := outputHost(s.Host(p.ToHost))
	if err == nil {
		var answer subjects.ProbeAnswer
		if answer, err = c.fetch.Probe(ctx, at, p.FromHost); err == nil {
			p.Rate = float64(answer.Bytes) / answer.Seconds
		}
	}
	if err != nil {
		p.Error = err.Error()
	}
}

// Measured is one direction of a rack's uplink: the rate that was declared, and the one that probes found.
type Measured struct {
	Rack     string  `json:"rack"`
	Way      string  `json:"way"` // up or down
	Declared float64 `json:"declared"`
	Measured float64 `json:"measured"` // the highest rate of a probe over it; 0 if none worked
	Verdict  string  `json:"verdict"`
}

// Verdicts on links.
const (
	AsDeclared   = "as declared"
	LessDeclared = "less than declared"
	MoreDeclared = "more than declared"
	AtLeastThat  = "at least that: what is at the other end carries no more"
	NotMeasured  = "not measured"
)

const (
	// nearShare is the share of a declared rate that a probe must reach to confirm it. It is less than 1
	// because headers take some of the rate, and TCP begins slowly.
	nearShare = 0.85
	// beyondFactor is the multiple of the declared rate above which a link counts as faster than declared.
	beyondFactor = 1.15
)

// Judge compares probes with the topology. It takes the fastest probe over each link, because a probe is only
// as fast as the slowest link on its path.
func Judge(s *ledger.State, probes []Probe) (all []Measured) {
	for i := range s.Network.Racks {
		r := &s.Network.Racks[i]
		for _, m := range []Measured{{Rack: r.Name, Way: "up", Declared: r.Up}, {Rack: r.Name, Way: "down", Declared: r.Down}} {
			possible := 0.0 // the highest rate that a probe over this link can have if all links are as declared
			for _, p := range probes {
				if m.Way == "up" && p.From == r.Name || m.Way == "down" && p.To == r.Name {
					m.Measured, possible = max(m.Measured, p.Rate), max(possible, declaredWay(s, &p))
				}
			}
			m.Verdict = verdict(&m, possible)
			all = append(all, m)
		}
	}
	return all
}

// declaredWay returns the rate that a probe would find if all links on its path were as declared.
func declaredWay(s *ledger.State, p *Probe) float64 {
	rate := p.most
	for i := range s.Network.Racks {
		r := &s.Network.Racks[i]
		if r.Name == p.From {
			rate = min(rate, r.Up)
		}
		if r.Name == p.To {
			rate = min(rate, r.Down)
		}
	}
	return rate
}

func verdict(m *Measured, possible float64) string {
	switch {
	case m.Measured <= 0:
		return NotMeasured
	case m.Measured > beyondFactor*m.Declared:
		return MoreDeclared
	case m.Measured >= nearShare*m.Declared:
		return AsDeclared
	case m.Measured >= nearShare*possible:
		return AtLeastThat
	}
	return LessDeclared
}

// Corrected lists the racks with wrongly declared uplinks, with the rates that the topology file should
// state.
func Corrected(all []Measured) (racks []subjects.WiredLink) {
	wrong := func(m *Measured) bool { return m.Verdict == LessDeclared || m.Verdict == MoreDeclared }
	for i := 0; i+1 < len(all); i += 2 {
		up, down := &all[i], &all[i+1]
		if !wrong(up) && !wrong(down) {
			continue
		}
		l := subjects.WiredLink{Name: up.Rack, Up: up.Declared, Down: down.Declared}
		if wrong(up) {
			l.Up = up.Measured
		}
		if wrong(down) {
			l.Down = down.Measured
		}
		racks = append(racks, l)
	}
	return slices.SortedFunc(slices.Values(racks), func(a, b subjects.WiredLink) int { return strings.Compare(a.Name, b.Name) })
}
