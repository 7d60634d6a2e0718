package pace

import "math"

// retuneEvery is how many samples pass between two looks at whether the gains
// still suit the tracked model.
const retuneEvery = 25

// settle is how many samples of a trial are left out at its start: programs load
// libraries and fill buffers before they follow anything.
const settle = 2

// Driver takes one task from its first sample to its end: a trial if there is no
// model of its type, then control.
type Driver struct {
	most    float64
	trial   *trial // nil once it is over
	scout   trial  // what is seen of a task without a model
	learnt  *Learnt
	control Controller
	tracker *Tracker
	norm    normal // of the model's a; gains are these over the tracked b
	gains   Gains  // all of them; the controller has the share that jumps leaves

	steps  int
	before float64 // throughput at the last step, NaN if none
	taken  float64 // the last cap under control
	yield  yield
	jumps  jumps
	target target
}

// Learnt is what a trial found: Refused says why the model is not to be used, ""
// if it may be.
type Learnt struct {
	Model   Model
	Refused string
	// Brief says that the task ended before it could show anything: so will the
	// next one, and a trial each time would slow all of them for nothing.
	Brief bool
}

// Enough is how many samples a task must last for its trial to tell anything.
const Enough = settle + LeastCycles*Period

// NewDriver begins with a model of the task's type, or learns one if it is nil.
// The task can use so many cores.
func NewDriver(model *Model, most float64) *Driver {
	d := &Driver{most: most, before: math.NaN(), control: Controller{Most: most}}
	if model == nil {
		d.trial = &trial{}
		return d
	}
	d.take(*model)
	return d
}

// NewGuess begins without a model and learns none: the task is controlled by a
// guess from its first samples.
func NewGuess(most float64) *Driver {
	return &Driver{most: most, before: math.NaN(), control: Controller{Most: most}}
}

// Adopt goes on with a model that others of its kind have shown, unless it shows
// one itself.
func (d *Driver) Adopt(m Model) {
	if d.trial == nil && m.Usable() {
		d.take(m)
	}
}

// take goes on under control with a model.
func (d *Driver) take(m Model) {
	d.trial = nil
	d.jumps = newJumps()
	d.tracker = NewTracker(m)
	d.norm, _ = search(m.A, Robust) // every usable model has gains, see the tests
	d.gains = d.norm.gains(m.B)
	d.control = Controller{Gains: d.gains, Most: d.most}
}

// Trial reports whether the task's model is still being learnt.
func (d *Driver) Trial() bool { return d.trial != nil }

// Limit is the most that the task may be given from now on, in cores. A trial
// goes on without: it needs the whole sine.
func (d *Driver) Limit(cores float64) { d.control.Most = min(cores, d.most) }

// Step returns the next cap, in cores, from the throughput measured over the last
// sample, the cap that was in force meanwhile, and the throughput that is wanted.
// A measured NaN is a sample that tells nothing.
func (d *Driver) Step(measured, inForce, reference float64) float64 {
	if d.trial != nil {
		if cap, more := d.trial.step(measured, inForce, d.most); more {
			return cap
		}
		d.conclude()
	}
	return d.follow(measured, inForce, reference)
}

// First is the cap to begin with, before anything was measured.
func (d *Driver) First(reference float64) float64 {
	return min(max(d.Claim(reference), Least), max(d.control.Most, Least))
}

// follow is a step under control.
func (d *Driver) follow(measured, inForce, reference float64) float64 {
	if d.tracker == nil && !d.guessed(measured, inForce) {
		return max(d.control.Most, Least)
	}
	if math.IsNaN(measured) {
		d.control.Rest()
		d.jumps.rest()
		d.before = measured
		if d.steps == 0 {
			return d.First(reference)
		}
		return inForce
	}
	d.learn(measured, inForce)
	if d.steps++; d.steps%retuneEvery == 0 {
		d.gains = d.norm.gains(d.tracker.Model().B)
	}
	if d.target.moves(reference) {
		d.control.Rest()
		d.taken = d.First(reference)
		return d.taken
	}
	d.control.Gains = d.gains.times(d.jumps.share())
	d.taken = d.control.Step(measured, reference, inForce)
	return d.taken
}

// learn takes in a sample.
func (d *Driver) learn(measured, inForce float64) {
	if math.IsNaN(d.before) {
		d.before = measured
	} else {
		d.tracker.Update(d.before, inForce, measured)
	}
	m := d.tracker.Model()
	d.jumps.see(measured, m.A*d.before+m.B*inForce)
	d.before = measured
	d.yield.see(measured, inForce)
}

// guessed reports whether the task has shown enough to guess at its model.
func (d *Driver) guessed(measured, inForce float64) bool {
	const enough = 5 // samples: one second
	if measured > 0 {
		d.scout.see(measured, inForce)
	}
	if len(d.scout.t) < enough {
		return false
	}
	d.take(guess(d.scout.mean()))
	return true
}

// Claim is the cores that a reference takes: by what the task has made of its cap
// so far, at first by the tracked model; all that it can use while there is none.
func (d *Driver) Claim(reference float64) float64 {
	if d.tracker == nil {
		return d.most
	}
	m := d.tracker.Model()
	if core, ok := d.yield.core(m); ok {
		return reference / core
	}
	return m.Claim(reference)
}

// ClaimWarily is Claim on a heavily loaded host: with a pessimistic model while the
// task is short of its reference at its limit. One that has its rate needs what it
// takes: no other would use what it claimed beyond that, and with less it would be
// short again.
func (d *Driver) ClaimWarily(reference float64) float64 {
	switch {
	case d.tracker == nil:
		return d.most
	case d.control.Misses():
		return d.tracker.Model().Pessimistic().Claim(reference)
	}
	return max(d.Claim(reference), d.taken)
}

// Unreachable reports whether the reference cannot be reached.
func (d *Driver) Unreachable() bool { return d.trial == nil && d.control.Unreachable() }

// Astray reports whether the task has long behaved as no model within the margin
// of its kind's does.
func (d *Driver) Astray() bool { return d.tracker != nil && d.tracker.Astray() }

// End says that the task has ended: what a trial saw until then counts.
func (d *Driver) End() {
	if d.trial != nil {
		d.conclude()
	}
}

// Learnt is what a trial found, nil while it lasts and if there was none.
func (d *Driver) Learnt() *Learnt { return d.learnt }
