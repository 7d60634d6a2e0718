// Package overhead learns how long tasks hold their slots beside fetching and running: until the host has begun them,
// hashed what they wrote, and told the log.
//
//	tasks.Add(model, seconds)   // when a task has finished
//	tasks.Of(model)             // the median of the model's latest tasks
//
// The package is pure.
package overhead

import (
	"fmt"
	"math"
	"slices"
)

const (
	// kept is how many of a model's latest tasks count, and enough how many it takes: until then a
	// model's tasks are taken to be like those of the whole pool.
	kept, enough = 32, 4
	// mostModels is how many models are kept: those whose tasks finished last.
	mostModels = 1000
)

// Tasks are the overheads of the latest tasks. The zero Tasks are ready to use.
type Tasks struct {
	all    Lately
	models []*Lately // the latest last
	of     map[string]*Lately
}

// Lately is the overheads of the latest tasks of a model in seconds, oldest first.
type Lately struct {
	Model   string    `msgpack:"model"`
	Seconds []float64 `msgpack:"seconds"`
}

// Add takes in a task.
func (t *Tasks) Add(model string, seconds float64) {
	if !sound(seconds) {
		return
	}
	t.all.add(seconds)
	l := t.of[model]
	if l == nil {
		l = &Lately{Model: model}
		if t.of == nil {
			t.of = map[string]*Lately{}
		}
		t.of[model] = l
		t.models = append(t.models, l)
	} else if t.models[len(t.models)-1] != l {
		at := slices.Index(t.models, l)
		t.models = append(slices.Delete(t.models, at, at+1), l)
	}
	l.add(seconds)
	if len(t.models) > mostModels {
		delete(t.of, t.models[0].Model)
		t.models = slices.Delete(t.models, 0, 1)
	}
}

func sound(seconds float64) bool { return seconds >= 0 && !math.IsInf(seconds, 1) }

func (l *Lately) add(seconds float64) {
	if len(l.Seconds) == kept {
		l.Seconds = slices.Delete(l.Seconds, 0, 1)
	}
	l.Seconds = append(l.Seconds, seconds)
}

// Of returns what a task of a model takes beside, in seconds; 0 while nothing is known.
func (t *Tasks) Of(model string) float64 {
	l := t.of[model]
	if l == nil || len(l.Seconds) < enough {
		l = &t.all
	}
	if len(l.Seconds) < enough {
		return 0
	}
	sorted := slices.Sorted(slices.Values(l.Seconds))
	return sorted[len(sorted)/2]
}

// Save lists what is known, for a snapshot: of the whole pool, and of models.
func (t *Tasks) Save() []*Lately { return append([]*Lately{&t.all}, t.models...) }

// Load takes over what Save listed.
func (t *Tasks) Load(list []*Lately) error {
	*t = Tasks{of: map[string]*Lately{}}
	for i, l := range list {
		if l == nil || len(l.Seconds) > kept || t.of[l.Model] != nil || len(list) > mostModels+1 ||
			slices.ContainsFunc(l.Seconds, func(s float64) bool { return !sound(s) }) {
			return fmt.Errorf("an entry of tasks' overheads is empty or there twice, has more than %d values, or one out of bounds", kept)
		}
		if i == 0 {
			t.all = *l
			continue
		}
		t.models, t.of[l.Model] = append(t.models, l), l
	}
	return nil
}
