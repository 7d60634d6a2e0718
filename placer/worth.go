package placer

import (
	"math"

	"lull/placer/choice"
	"lull/placer/picture"
	"lull/placer/predict"
	"lull/subjects"
	"lull/subjects/spec"
)

// question is what is asked about a job.
func question(app *predict.Application, offer picture.Offer, wish string, seed uint64) choice.Question {
	return choice.Question{App: app, Snapshot: offer.Snapshot, Free: offer.Free, Room: offer.Room, Wish: wish, Seed: seed}
}

// refusal is why a job is not kept to the hosts that were found, "" if it is.
func (a *Actor) refusal(r *Searched, shape *spec.Job) string {
	switch {
	case len(r.Answer.Hosts) == 0 || math.IsInf(r.Answer.Result.Seconds, 0):
		return subjects.PlacedNowhere
	case r.Answer.Moving < a.cfg.Worth && !asksForPlace(shape):
		return subjects.PlacedLittle
	case !a.state.Accuracies.Of(shape.Type).Fits():
		return subjects.PlacedUnfit
	case r.Answer.Gain < a.cfg.Gain && !asksForPlace(shape) && r.Anew == "":
		return subjects.PlacedGain
	}
	return ""
}

// asksForPlace reports whether the document asks for a place.
func asksForPlace(j *spec.Job) bool { return j.Place != "" }
