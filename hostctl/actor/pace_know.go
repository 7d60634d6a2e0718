package actor

import (
	"slices"

	"lull/actors"
	"lull/subjects"
)

// Know tells the shell how tasks of a model follow their CPU cap, as this host
// identified it some day: T(k) = A·T(k−1) + B·C(k−1), in bytes/s and cores, Sample
// seconds apart. It is said once a process, before anything is paced.
type Know struct {
	Model   string  `msgpack:"model"`
	A       float64 `msgpack:"a"`
	B       float64 `msgpack:"b"`
	R2      float64 `msgpack:"r2"`
	Sample  float64 `msgpack:"sample"`
	Samples uint32  `msgpack:"samples"`
}

// maxKnown bounds the models that are remembered, the latest learnt. A trial costs
// a task some seconds of half speed, a model here a hundred bytes.
const maxKnown = 256

// remember folds what this host learnt in this term or before: the machine is the
// same one.
func (a *Actor) remember(e *subjects.Identified) {
	if e.Model == "" || e.Refused != "" || !(e.B > 0) {
		return
	}
	a.known = slices.DeleteFunc(a.known, func(k Know) bool { return k.Model == e.Model })
	a.known = append(a.known, Know{e.Model, e.A, e.B, e.R2, e.Sample, e.Samples})
	if len(a.known) > maxKnown {
		a.known = slices.Delete(a.known, 0, 1)
	}
}

// recall tells the shell, once, what the log knows. What it learns itself it has.
func (a *Actor) recall(actions []actors.Action) []actors.Action {
	if a.recalled {
		return actions
	}
	a.recalled = true
	for _, k := range a.known {
		actions = append(actions, k)
	}
	return actions
}
