package sim

import (
	"time"

	"lull/actors"
	"lull/subjects"
)

// turn is one round of a shell's loop after something came in: the inbox, a
// claim, one decision on all of it.
func (r *replica) turn() {
	if !r.up || r.inside {
		return
	}
	for more := true; more && r.up; {
		more = r.drainInbox()
		r.claimIfDue()
		r.decide()
	}
	if r.up {
		r.setAlarm()
	}
}

// step is the only way into the actor.
func (r *replica) step(in actors.Input) actors.Output {
	in.Now, in.Term = r.clock.now(), r.term()
	r.inside = true
	out := r.actor.Step(in)
	r.w.inputs++
	r.stirred = !in.Decide
	r.wake = out.Wake
	if in.Term != 0 && r.perform != nil {
		for _, action := range out.Actions {
			if r.up {
				r.perform(action)
			}
		}
	}
	r.inside = false
	return out
}

// decide asks for decisions when this instance may make some.
func (r *replica) decide() {
	if !r.up || !r.stirred || r.term() == 0 || r.flight != nil || r.hold.on(r.w.now) {
		return
	}
	if out := r.step(actors.Input{Decide: true}); len(out.Events) > 0 {
		r.append(out.Events)
	}
}

// report gives the actor the outcome of an action, after the step that it is
// taking, if it is.
func (r *replica) report(outcome any) {
	if !r.up {
		return
	}
	r.reports = append(r.reports, outcome)
	if r.inside {
		r.w.hasten(&r.post, r.w.now)
		return
	}
	r.pump()
}

// pump steps the actor with what was reported.
func (r *replica) pump() {
	for i := 0; r.up && i < len(r.reports); i++ {
		r.step(actors.Input{Report: r.reports[i]})
	}
	if r.up {
		clear(r.reports)
		r.reports = r.reports[:0]
		r.turn()
	}
}

// sample brings a sample of telemetry on its way. All that comes until it is
// there is heard with it.
func (r *replica) sample(t subjects.Telemetry, host string) {
	if !r.up {
		return
	}
	if r.w.Faults != nil {
		r.doubtful(t, host)
		return
	}
	r.receive(t)
}

// doubtful is sample under a plan of faults.
func (r *replica) doubtful(t subjects.Telemetry, host string) {
	f := r.w.fate(OpTelemetry, r.who, host)
	life := r.life
	late := func() {
		if r.life == life {
			r.receive(t)
		}
	}
	if !f.Lose && f.Delay == 0 {
		r.receive(t)
	} else if !f.Lose {
		r.w.after(f.Delay, late)
	}
	if f.Again > 0 {
		r.w.after(f.Delay+f.Again, late)
	}
	if f.Crash != NoCrash {
		r.crashFor(f.Down)
	}
}

func (r *replica) receive(t subjects.Telemetry) {
	r.samples = append(r.samples, t)
	if r.courier.pos == 0 {
		r.w.arm(&r.courier, r.w.now+r.latency())
	}
}

// hear steps the actor with the samples that came.
func (r *replica) hear() {
	for _, t := range r.samples {
		r.step(actors.Input{Sample: t})
	}
	r.w.heard += len(r.samples)
	clear(r.samples)
	r.samples = r.samples[:0]
	r.turn()
}

// setAlarm sees to what no message announces. It may ring too early, never too
// late: most wishes are replaced before they come true.
func (r *replica) setAlarm() {
	if !r.wake.IsZero() && r.term() != 0 {
		r.w.hasten(&r.alarm, r.w.now+max(r.wake.Sub(r.clock.now()), 0))
	}
	if r.hold.on(r.w.now) {
		r.w.hasten(&r.alarm, r.hold.until)
	}
	if r.mayClaim() && r.tenure.after > r.w.now {
		r.w.hasten(&r.alarm, r.tenure.after)
	}
}

// ring makes what is due a reason to decide.
func (r *replica) ring() {
	if !r.wake.IsZero() && r.term() != 0 && !r.clock.now().Before(r.wake) {
		r.wake = time.Time{}
		r.stirred = true
	}
	if r.hold.over(r.w.now) {
		r.stirred = true
	}
	r.turn()
}
