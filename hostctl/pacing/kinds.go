package pacing

import (
	"maps"

	"lull/hostctl/pace"
)

// maxKinds bounds the kinds of tasks that are remembered beside those that run. A new trial
// of a kind costs a task some seconds at half speed.
const maxKinds = 1024

// AddModel gives a kind a model, unless it has one or the model is not usable.
func (p *Pacer) AddModel(kind string, m pace.Model) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, known := p.mu.models[kind]; !known && m.Usable() {
		p.forgetKinds()
		p.mu.models[kind] = m
	}
}

// forgetKinds removes the kinds of which no task runs, when there are too many. The caller
// holds p.mu.
func (p *Pacer) forgetKinds() {
	if len(p.mu.models)+len(p.mu.brief) < maxKinds {
		return
	}
	runs := map[string]bool{}
	for _, t := range p.mu.tasks {
		runs[t.model] = true
	}
	maps.DeleteFunc(p.mu.models, func(kind string, _ pace.Model) bool { return !runs[kind] })
	maps.DeleteFunc(p.mu.brief, func(kind string, _ bool) bool { return !runs[kind] })
}

// ModelOf is the model of a kind, false if it has none.
func (p *Pacer) ModelOf(kind string) (pace.Model, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	m, known := p.mu.models[kind]
	return m, known
}
