package actor

import (
	"slices"

	"lull/actors"
	"lull/subjects"
)

// KnownModel hands the shell a model that this host identified before: how the throughput of a
// stage's tasks follows their CPU cap, T(k) = A·T(k−1) + B·C(k−1). T is in bytes/s, C in
// cores, and samples are Sample seconds apart. Each process gets it once, before anything is paced.
type KnownModel struct {
	Model   string  `msgpack:"model"`
	A       float64 `msgpack:"a"`
	B       float64 `msgpack:"b"`
	R2      float64 `msgpack:"r2"`
	Sample  float64 `msgpack:"sample"`
	Samples uint32  `msgpack:"samples"`
}

// maxKnown bounds the models that are kept; the oldest is removed first. An
// identification costs a task some seconds at half speed, a model here a hundred
// bytes.
const maxKnown = 256

// models keeps the models of tasks that this host identified, and reports new ones.
type models struct {
	*facts
	known      []KnownModel // the latest last
	announced  bool         // the shell has the known ones
	unreported []Identified // not in the log yet
}

// foldIdentified notes that a model stands in the log, in whichever term it was
// reported.
func (m *models) foldIdentified(e *subjects.Identified) {
	m.unreported = slices.DeleteFunc(m.unreported, func(i Identified) bool { return i.Job == e.Job && i.Attempt == e.Attempt })
	m.keepModel(e)
}

// keepModel stores a usable model. Models of earlier terms stay, as the machine is the same.
func (m *models) keepModel(e *subjects.Identified) {
	if e.Model == "" || e.Refused != "" || !(e.B > 0) {
		return
	}
	m.known = slices.DeleteFunc(m.known, func(k KnownModel) bool { return k.Model == e.Model })
	m.known = append(m.known, KnownModel{e.Model, e.A, e.B, e.R2, e.Sample, e.Samples})
	if len(m.known) > maxKnown {
		m.known = slices.Delete(m.known, 0, 1)
	}
}

// announce sends the shell, once, the models in the log. Those that this process
// identifies later the shell has already.
func (m *models) announce(actions []actors.Action) []actors.Action {
	if m.announced {
		return actions
	}
	m.announced = true
	for _, k := range m.known {
		actions = append(actions, k)
	}
	return actions
}
