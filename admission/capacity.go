package admission

import (
	"slices"
	"strings"

	"lull/subjects/ledger"
	"lull/subjects/spec"
	"lull/subjects/tct"
)

// offer is what one host adds to the pool, when batch work fills it: then each
// slot has the least residual that it will be given.
type offer struct {
	host  *ledger.Host
	term  uint64 // of which this is: memory, slots and labels go with it
	slots int    // that can be busy at once
	step  int    // residual of each, in hundredths
}

func (o *offer) residual() float64 { return float64(o.step) / tct.Steps }

// offers lists what hosts offer now. A paused pool offers nothing: how long the pause
// lasts is unknown.
func (a *Actor) offers() []offer {
	var all []offer
	for _, host := range a.state.Hosts() {
		if a.state.Paused || !host.Open() {
			continue
		}
		if n, r := tct.Fill(a.idle(host), int(host.Joined.Slots)); n > 0 {
			all = append(all, offer{host, host.Term, n, tct.Step(r)})
		}
	}
	return all
}

// idle is the host's idle cores: none, when they are not known. A host that is
// not heard of may be dead, and a promise must not rest on it. The paper's
// mode takes the present reading.
func (a *Actor) idle(host *ledger.Host) float64 {
	w := a.usage[host.Name]
	switch {
	case w == nil || a.now-w.heard > int64(a.cfg.Stale):
		return 0
	case a.cfg.Mode == ModeEq7:
		return w.now()
	}
	return w.quartile()
}

// needs are what decides which slots a task may use.
type needs struct {
	cpu    uint32
	memory int64
	where  string
}

// class is the pool's slots for tasks of the same needs, each host's counted
// as often as tasks fit beside each other by cores and memory.
type class struct {
	needs
	labels []string
	slots  tct.Slots
	steps  [tct.Steps + 1]int // slots by residual
	room   []int              // tasks that each offer takes at once
}

func needsOf(stage *spec.Stage) needs {
	return needs{stage.CPU, stage.Memory, strings.Join(stage.Where, "\x00")}
}

func (c *class) count(offers []offer) {
	c.slots, c.steps, c.room = tct.Slots{}, [tct.Steps + 1]int{}, make([]int, len(offers))
	for i := range offers {
		o := &offers[i]
		if !o.host.Matches(c.labels) {
			continue
		}
		n := min(o.slots/int(c.cpu), int(o.host.Joined.Memory/c.memory))
		c.room[i] = n
		c.slots.Add(o.residual(), n)
		c.steps[o.step] += max(n, 0)
	}
}

// class returns the slots for a stage, counted once for all that need the same.
func (a *Actor) class(stage *spec.Stage) *class {
	key := needsOf(stage)
	c := a.classes[key]
	if c == nil {
		c = &class{needs: key, labels: slices.Clone(stage.Where)}
		c.count(a.supply.offers)
		a.classes[key] = c
	}
	return c
}
