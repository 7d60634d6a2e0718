package placer

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"lull/placer/picture"
	"lull/subjects"
	"lull/subjects/spec"
)

// take gives all slots but some of the first host's to tasks of other jobs.
func (p *pool) take(free int) {
	p.submit("other", "sort", spec.PlaceOff)
	p.submit("another", "sort", spec.PlaceOff)
	task := uint32(0)
	for _, h := range p.a.State().Hosts() {
		for slot := range h.Joined.Slots {
			if free > 0 {
				free--
				continue
			}
			p.say(&subjects.Assigned{Host: h.Name, Job: []string{"other", "another"}[task/4], TaskID: subjects.TaskID{Task: task % 4}, Term: h.Term, Slot: slot, Width: 1})
			task++
		}
	}
}

// A job that can have only some of the slots that it can use would wait for those of its hosts, while others
// become free elsewhere. It is placed as long as that costs less than what the hosts save, and always if
// the document asks for it.
func TestWaitingForHostsIsPriced(t *testing.T) {
	for _, c := range []struct {
		free   int
		place  string
		placed bool
	}{{8, "", true}, {4, "", false}, {3, "", false}, {0, "", false}, {0, spec.PlaceFast, true}, {3, spec.PlacePack, true}} {
		t.Run(fmt.Sprint(c.free, c.place), func(t *testing.T) {
			p := newPool(t)
			if c.free < 8 {
				p.take(c.free)
			}
			p.submit("j", "sort", c.place)
			e := p.word()
			if e == nil || (len(e.Hosts) > 0) != c.placed {
				t.Fatalf("placement = %+v, want hosts: %v", e, c.placed)
			}
			if !c.placed && e.Why != subjects.PlacedGain {
				t.Errorf("not placed because of %q, want %q", e.Why, subjects.PlacedGain)
			}
			anywhere := slices.ContainsFunc(e.Baselines, func(b subjects.PlacedBy) bool { return b.Policy == subjects.PlacedAnywhere && b.Seconds >= e.Seconds })
			if c.free > 0 && !anywhere {
				t.Errorf("baselines = %+v, want one for any host, no faster", e.Baselines)
			}
		})
	}
}

// The log takes no time without an end.
func TestATimeWithoutAnEndIsUnknown(t *testing.T) {
	r := &Searched{Search: Search{Job: "j", pool: &picture.Pool{}}}
	r.Answer.Anywhere.Result.Seconds, r.Answer.Bound = math.Inf(1), math.NaN()
	e := New(Config{}).predictedEvent(r, subjects.PlacedLittle)
	if _, err := subjects.Encode(subjects.DefaultPool, e); err != nil || e.Seconds != 0 || e.Bound != 0 {
		t.Errorf("event = %+v, %v, want one without a time, which can be encoded", e, err)
	}
}
