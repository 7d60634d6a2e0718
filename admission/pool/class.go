package pool

import (
	"slices"
	"strings"

	"lull/admission/outlook"
	"lull/subjects/ledger"
	"lull/subjects/spec"
	"lull/subjects/tct"
)

// Needs are what decides which slots a task may use.
type Needs struct {
	CPU    uint32
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
	// changed says that the last count found other slots than the one before.
	changed bool
}

func needsOf(stage *spec.Stage, placed *ledger.Placement, fence string) Needs {
	return Needs{stage.CPU, stage.Memory, strings.Join(stage.Where, "\x00"), placed, fence}
}

// count counts the slots that offers have for the class.
func (c *Class) count(offers []offer) {
	slots, steps := c.Slots, c.steps
	const last = outlook.Spans - 1 // the cost of work follows the average: see warp
	c.Slots, c.steps, c.Room = tct.Slots{}, [tct.Steps + 1]int{}, make([]int, len(offers))
	for i := range offers {
		o := &offers[i]
		if !o.host.Matches(c.labels) || !c.placed.Has(o.host.Name) || len(c.fenced) > 0 && !slices.Contains(c.fenced, o.class) {
			continue
		}
		beside := int(o.host.Joined.Memory / c.memory)
		c.Room[i] = min(o.Most()/int(c.CPU), beside)
		n := max(min(o.Slots[last]/int(c.CPU), beside), 0)
		c.Slots.Add(float64(o.Step[last])/tct.Steps, n)
		c.steps[o.Step[last]] += n
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
