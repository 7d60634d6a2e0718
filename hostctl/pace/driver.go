package pace

import "math"

// retuneEvery is the number of samples between two adjustments of the gains to the
// tracked model.
const retuneEvery = 25

// settle is how many samples are left out at the start of a trial: programs load libraries and fill
// buffers before their throughput follows the cap.
const settle = 2

// Driver controls one task from its first sample to its end: a trial if there is no model
// of its type, then control.
type Driver struct {
	most         float64
	trial        *trial // nil once it is over
	firstSamples trial  // samples of a task without a model
	learnt       *Learnt
	control      Controller
	tracker      *Tracker
	norm         normal // of the model's a; gains are these over the tracked b
	gains        Gains  // in full; the controller uses the share that jumps allows

	steps  int
	before float64 // throughput at the last step, NaN if none
	taken  float64 // the last cap under control
	yield  yield
	jumps  jumps
	target target
}

// Learnt is the result of a trial. Refused is the reason not to use the model, "" if it
// may be used.
type Learnt struct {
	Model   Model
	Refused string
	// Brief reports that the task ended too soon for a trial. Probably the next ones do,
	// too, and a trial of each would slow all of them without a result.
	Brief bool
}

// Enough is how many samples a task must last for its trial to give a model.
const Enough = settle + LeastCycles*Period

// NewDriver begins with a model of the task's type, or with a trial if it is nil. most is
// the cores that the task can use.
func NewDriver(model *Model, most float64) *Driver {
	d := &Driver{most: most, before: math.NaN(), control: Controller{Most: most}}
	if model == nil {
		d.trial = &trial{}
		return d
	}
	d.controlWith(*model)
	return d
}

// NewGuess begins without a model and without a trial: it controls the task by a model
// guessed from the first samples.
func NewGuess(most float64) *Driver {
	return &Driver{most: most, before: math.NaN(), control: Controller{Most: most}}
}

// Adopt continues with a model that was identified on another task of the kind, unless
// this task's own trial is running.
func (d *Driver) Adopt(m Model) {
	if d.trial == nil && m.Usable() {
		d.controlWith(m)
	}
}

// controlWith continues under control with a model.
func (d *Driver) controlWith(m Model) {
	d.trial = nil
	d.jumps = newJumps()
	d.tracker = NewTracker(m)
	d.norm, _ = searchGains(m.A, Robust) // every usable model has gains, see the tests
	d.gains = d.norm.gains(m.B)
	d.control = Controller{Gains: d.gains, Most: d.most}
}

// Trial reports whether the task's model is still being learnt.
func (d *Driver) Trial() bool { return d.trial != nil }

// Limit sets the largest cap from now on, in cores. A trial ignores it, because it needs
// the whole sine.
func (d *Driver) Limit(cores float64) { d.control.Most = min(cores, d.most) }

// Step returns the next cap, in cores, from the throughput measured over the last
// sample, the cap that was in force meanwhile, and the reference. A measured NaN is an
// unusable sample.
func (d *Driver) Step(measured, inForce, reference float64) float64 {
	if d.trial != nil {
		if cores, more := d.trial.step(measured, inForce, d.most); more {
			return cores
		}
		d.conclude()
	}
	return d.follow(measured, inForce, reference)
}

// First is the first cap, before any measurement.
func (d *Driver) First(reference float64) float64 {
	return min(max(d.Claim(reference), Least), max(d.control.Most, Least))
}

// follow is a step under control; Step explains the arguments.
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
	if d.target.isNew(reference) {
		d.control.Rest()
		d.taken = d.First(reference)
		return d.taken
	}
	d.control.Gains = d.gains.times(d.jumps.share())
	d.taken = d.control.Step(measured, reference, inForce)
	return d.taken
}

// learn updates the tracker and the statistics with a sample.
func (d *Driver) learn(measured, inForce float64) {
	if math.IsNaN(d.before) {
		d.before = measured
	} else {
		d.tracker.Update(d.before, inForce, measured)
	}
	m := d.tracker.Model()
	d.jumps.add(measured, m.A*d.before+m.B*inForce)
	d.before = measured
	d.yield.add(measured, inForce)
}

// guessed collects samples, and reports whether there were enough to guess a model.
func (d *Driver) guessed(measured, inForce float64) bool {
	const enough = 5 // samples: one second
	if measured > 0 {
		d.firstSamples.add(measured, inForce)
	}
	if len(d.firstSamples.t) < enough {
		return false
	}
	d.controlWith(guessModel(d.firstSamples.mean()))
	return true
}

// Claim is the cores that a reference needs, by the task's measured yield, at first by
// the tracked model. While there is no model it is all cores that the task can use.
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

// ClaimPessimistically is Claim on a heavily loaded host. While the task misses its reference at its limit,
// the claim is that of a pessimistic model. A task that reaches its reference claims at least its
// present cap: with less it would miss the reference again, and no other task would use more.
func (d *Driver) ClaimPessimistically(reference float64) float64 {
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

// OutsideMargin reports whether the task has long behaved like no model within the margin around
// the model of its kind.
func (d *Driver) OutsideMargin() bool { return d.tracker != nil && d.tracker.OutsideMargin() }

// End ends a trial with the samples so far, because the task has ended.
func (d *Driver) End() {
	if d.trial != nil {
		d.conclude()
	}
}

// Learnt is the result of the trial, nil while it lasts and if there was none.
func (d *Driver) Learnt() *Learnt { return d.learnt }
