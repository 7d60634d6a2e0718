package sim

import (
	"fmt"
	"time"

	"lull/actors"
	"lull/classifier"
	"lull/classifier/archive"
	"lull/classifier/study"
	"lull/subjects"
	"lull/subjects/history"
)

// addClassifiers makes the replicas of the classifier and what they learn from.
func (w *World) addClassifiers() {
	for i := range w.Classifiers {
		r := w.role(classifier.Role(w.pool()), func() (actors.Actor, error) { return classifier.New(classifier.Config{Seed: w.Seed}), nil })
		p := w.addService(r, i, &machine{w: w})
		p.role.perform = func(action actors.Action) { p.study(action) }
	}
	for i := range w.Past {
		b := &w.Past[i]
		w.At(b.At, func() { w.bus.history.put(wall(w.now), history.Message(w.pool(), b.Host, &b.Block)) })
	}
	if w.Classifiers > 0 && w.Classify > 0 {
		w.At(w.Classify, w.askForClasses)
	}
}

// studyTime is the time that a classifier takes to learn.
const studyTime = 700 * time.Millisecond

// study carries out the classifier's actions, as its shell does.
func (r *replica) study(action actors.Action) {
	life := r.life
	r.w.after(studyTime+r.latency(), func() {
		if r.life != life {
			return
		}
		switch action := action.(type) {
		case classifier.Learn:
			kept := r.w.historyArchive(action.At)
			found, err := study.Classify(kept, action.At, action.Known, action.Seed)
			r.report(classifier.Learned{Learn: action, Hosts: kept.Hosts(), Found: found, Err: err})
		case classifier.Look:
			changed, err := study.Drifted(r.w.historyArchive(action.At), action.At, action.Known)
			r.report(classifier.Looked{Base: action.Base, Changed: changed, Err: err})
		}
	})
}

// historyArchive is the stream of history, without blocks that are too old.
func (w *World) historyArchive(now time.Time) *archive.Archive {
	kept := archive.New()
	for _, d := range w.bus.history.from(0, "") {
		var b history.Block
		if host, err := history.Read(w.pool(), d.Subject, d.Body, &b); err == nil {
			kept.Put(host, &b, d.Body)
		}
	}
	kept.Forget(now.AddDate(0, 0, -history.Days))
	return kept
}

// askForClasses asks the classifier that leads for a generation, as a client does.
func (w *World) askForClasses() {
	w.At(w.now+w.Classify, w.askForClasses)
	for _, r := range w.services {
		actor, ok := r.actor.(*classifier.Actor)
		if !ok || !r.up || !r.core.Leading() {
			continue
		}
		if ask, err := subjects.Marshal(&subjects.ClassifyAsk{ID: fmt.Sprint(w.now)}); err == nil {
			actor.Answer(subjects.AskClassify, ask)
		}
	}
}
