package admission

import (
	"strings"

	"lull/subjects/ledger"
	"lull/subjects/spec"
	"lull/subjects/tct"
)

// usage is what a host's primary leaves idle, in cores.
type usage struct {
	idle float64
	at   int64
}

// offer is what one host adds to the pool.
type offer struct {
	life     *ledger.Host
	slots    int // that can be busy at once
	residual float64
}

// capacity is what the pool offers now. A prediction assumes that batch work
// fills it: then each slot has the least residual that it will be given.
type capacity struct {
	offers []offer
	memo   map[needs]*tct.Slots
}

// needs are what decides which slots a task may use.
type needs struct {
	cpu    uint32
	memory int64
	where  string
}

// capacity looks at the hosts as they are. A paused pool offers nothing: nobody
// knows for how long.
func (a *Actor) capacity() *capacity {
	c := &capacity{memo: map[needs]*tct.Slots{}}
	for _, life := range a.state.Hosts() {
		if a.state.Paused || !life.Open() {
			continue
		}
		n, residual := tct.Fill(a.idle(life), int(life.Joined.Slots))
		c.offers = append(c.offers, offer{life, n, residual})
	}
	return c
}

// idle is the host's idle cores: none, when they are not known. A host that is
// not heard of may be dead, and a promise must not rest on it.
func (a *Actor) idle(life *ledger.Host) float64 {
	u, ok := a.usage[life.Name]
	if !ok || a.now-u.at > int64(a.cfg.Stale) {
		return 0
	}
	return u.idle
}

// slots are the pool's slots for a stage's tasks, each counted as often as
// tasks fit beside each other by cores and memory.
func (c *capacity) slots(stage *spec.Stage) *tct.Slots {
	key := needs{stage.CPU, stage.Memory, strings.Join(stage.Where, "\x00")}
	if s := c.memo[key]; s != nil {
		return s
	}
	s := new(tct.Slots)
	for _, o := range c.offers {
		if o.life.Matches(stage.Where) {
			s.Add(o.residual, min(o.slots/int(stage.CPU), int(o.life.Joined.Memory/stage.Memory)))
		}
	}
	c.memo[key] = s
	return s
}
