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

// Probe is a measurement from a host of one rack to a host of another one.
type Probe struct {
	From     string  `json:"from"` // racks
	To       string  `json:"to"`
	FromHost string  `json:"from_host"`
	ToHost   string  `json:"to_host"`
	Rate     float64 `json:"rate"`            // bytes/s; 0 if it failed
	Error    string  `json:"error,omitempty"` // why it did
	most     float64 // bytes/s that the NICs of both hosts can carry
}

// Probes lists the probes that measure the links between the racks of the topology: one each way for each
// pair of racks that have an agent with --probe. without are the racks that have none.
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

// nic returns the rate of a host's NIC: by the topology, else by the kernel, else subjects.DefaultNIC.
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

// Measured is a direction of a rack's uplink, as it was declared and as probes found it.
type Measured struct {
	Rack     string  `json:"rack"`
	Way      string  `json:"way"` // up or down
	Declared float64 `json:"declared"`
	Measured float64 `json:"measured"` // the most that a probe over it had; 0 if none worked
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
	// nearShare is the share of a declared rate that counts as all of it: headers take some, and TCP begins slowly.
	nearShare = 0.85
	// beyondFactor is the multiple of the declared rate above which a link has more than is declared.
	beyondFactor = 1.15
)

// Judge compares probes with the topology. It takes the fastest probe over each link, because a probe is only as
// fast as the narrowest link on its way.
func Judge(s *ledger.State, probes []Probe) (all []Measured) {
	for i := range s.Network.Racks {
		r := &s.Network.Racks[i]
		for _, m := range []Measured{{Rack: r.Name, Way: "up", Declared: r.Up}, {Rack: r.Name, Way: "down", Declared: r.Down}} {
			possible := 0.0 // if all links on the ways of the probes are as declared
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

// declaredWay returns the rate that a probe should find if all links are as declared.
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

// Corrected are the racks whose uplinks are declared wrongly, as the topology file should have them.
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
