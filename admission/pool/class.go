package pool

import (
	"slices"
	"strings"

	"lull/subjects/ledger"
	"lull/subjects/spec"
	"lull/subjects/tct"
)

// Needs are what decides which slots a task may use.
type Needs struct {
	CPU    uint32
	Part   uint32 // of the last core, in thousandths; 0: all of it
	memory int64
	where  string
	placed *ledger.Placement // on whose hosts it runs; nil: all
	fence  string            // classes of tenants on whose hosts it runs; "": all. See fences
}

// Class is the pool's slots for tasks of the same needs. Each host's slots are counted as often as
// tasks fit beside each other by cores and memory.
type Class struct {
	Needs
	labels []string
	fenced []string // the classes of fence
	Slots  tct.Slots
	steps  [tct.Steps + 1]int // slots by residual
	Room   []int              // tasks that each offer takes at once
	// sharing is how many tasks share a slot of each offer at most; nil where none does.
	sharing []int
	// changed says that the last count found other slots than the one before.
	changed bool
}

func needsOf(stage *spec.Stage, placed *ledger.Placement, fence string) Needs {
	return Needs{stage.CPU, stage.Part, stage.Memory, strings.Join(stage.Where, "\x00"), placed, fence}
}

// count counts the slots that offers have for the class.
func (c *Class) count(offers []offer) {
	slots, steps := c.Slots, c.steps
	c.Slots, c.steps, c.Room = tct.Slots{}, [tct.Steps + 1]int{}, make([]int, len(offers))
	each := c.each()
	if c.sharing = nil; each > 1 {
		c.sharing = make([]int, len(offers))
	}
	for i := range offers {
		o := &offers[i]
		if !o.host.Matches(c.labels) || !c.placed.Has(o.host.Name) || len(c.fenced) > 0 && !slices.Contains(c.fenced, o.class) {
			continue
		}
		beside := int(o.host.Joined.Memory / c.memory)
		c.Room[i] = min(o.Most()*each/int(c.CPU), beside)
		if each > 1 {
			c.sharing[i] = max(min(each, beside/max(o.Most(), 1)), 1)
		}
		running, step := o.Average() // the cost of work follows the average: see outlook.Warp
		n := max(min(running*each/int(c.CPU), beside), 0)
		c.Slots.Add(float64(step)/tct.Steps, n)
		c.steps[step] += n
	}
	c.changed = c.Slots != slots || c.steps != steps
}

// class returns the slots for a stage, counted once for all that need the same.
func (cs *costs) class(stage *spec.Stage, placed *ledger.Placement, fence string) *Class {
	key := needsOf(stage, placed, fence)
	c := cs.classes[key]
	if c == nil {
		c = &Class{Needs: key, labels: slices.Clone(stage.Where)}
		if fence != "" {
			c.fenced = strings.Split(fence, betweenClasses)
		}
		c.count(cs.supply.offers)
		cs.classes[key] = c
	}
	return c
}
