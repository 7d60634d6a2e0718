package sim

import (
	"time"

	"lull/actors"
	"lull/subjects"
)

// turn is one round of a shell's loop after something came in: the inbox, and
// one decision on all of it.
func (r *replica) turn() {
	if !r.up || r.inside {
		return
	}
	for more := true; more && r.up; {
		more = r.drainInbox()
		if r.up {
			r.perform(r.core.Turn(r.moment()))
		}
	}
	if r.up {
		r.setAlarm()
	}
}

// setAlarm sets the alarm for what no message announces. It only ever moves the alarm to an earlier time,
// because most alarms are replaced before they ring; one that rings too early does no harm.
func (r *replica) setAlarm() {
	if wait, due := r.core.Alarm(r.moment()); due {
		r.w.armEarlier(&r.alarm, r.w.now+wait)
	}
}

// ring lets the core decide on what is due by the time.
func (r *replica) ring() {
	r.perform(r.core.Ring(r.moment()))
	r.turn()
}

// report gives the actor the outcome of an action; if the actor is in a step, after that step.
func (r *replica) report(outcome any) {
	if !r.up {
		return
	}
	r.reports = append(r.reports, outcome)
	if r.inside {
		r.w.armEarlier(&r.reportTimer, r.w.now)
		return
	}
	r.stepReports()
}

// stepReports steps the actor with what was reported.
func (r *replica) stepReports() {
	for i := 0; r.up && i < len(r.reports); i++ {
		r.perform(r.core.Report(r.moment(), r.reports[i]))
	}
	if r.up {
		clear(r.reports)
		r.reports = r.reports[:0]
		r.turn()
	}
}

// sample sends a sample of telemetry to the replica. Samples that are sent before it arrives arrive with
// it.
func (r *replica) sample(t subjects.Telemetry, host string) {
	if !r.up {
		return
	}
	if r.w.Faults != nil {
		r.faultySample(t, host)
		return
	}
	r.receive(t)
}

// faultySample is sample under a plan of faults.
func (r *replica) faultySample(t subjects.Telemetry, host string) {
	f := r.w.fate(OpTelemetry, r.process, host)
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
	if r.sampleTimer.pos == 0 {
		r.w.arm(&r.sampleTimer, r.w.now+r.latency())
	}
}

// stepSamples steps the actor with the samples that came.
func (r *replica) stepSamples() {
	life, at := r.life, r.moment()
	for _, t := range r.samples {
		if r.life == life {
			r.perform(r.core.Sample(at, t))
		}
	}
	if r.life != life {
		return
	}
	r.w.samplesSeen += len(r.samples)
	clear(r.samples)
	r.samples = r.samples[:0]
	r.turn()
}

// requestsAtOnce is the number of inbox messages that an actor gets before it decides, as in
// actors/shell.
const requestsAtOnce = 256

// inbox is the leader's reading of what clients published.
type inbox struct {
	open bool
	next uint64
	seen time.Duration // what came until then has arrived
}

// openInbox reads on from a sequence.
func (r *replica) openInbox(from uint64) {
	r.inbox = inbox{open: true, next: from}
	r.scheduleInbox()
}

// scheduleInbox delivers the inbox's messages after a while.
func (r *replica) scheduleInbox() {
	if !r.up || !r.inbox.open {
		return
	}
	f := r.w.fate(OpInbox, r.process, "")
	life := r.life
	r.w.after(r.delivery()+f.Delay, func() {
		if r.life == life && r.inbox.open {
			r.inbox.seen = r.w.now - minTransit
			r.turn()
		}
	})
	if f.Again > 0 { // a reader that broke begins where the log stands
		r.w.after(f.Again, func() {
			if r.life == life && r.inbox.open {
				r.inbox.next = min(r.inbox.next, r.actor.(actors.Inboxed).InboxFrom()+1)
				r.turn()
			}
		})
	}
}

// drainInbox gives the actor what has arrived, while it can decide on it, and
// reports whether more waits.
func (r *replica) drainInbox() bool {
	for n := 0; r.acceptsRequest(); n++ {
		if n == requestsAtOnce {
			return true
		}
		e := r.w.bus.inbox.at(r.inbox.next)
		r.inbox.next++
		r.perform(r.core.Request(r.moment(), &actors.Request{
			Seq: e.Seq, Time: e.Time, Subject: e.subject, Body: e.body,
			MessageID: e.header[messageID], Client: e.header["Lull-Client"],
		}))
	}
	return false
}

func (r *replica) acceptsRequest() bool {
	stream := r.w.bus.inbox
	return r.up && r.inbox.open && r.inbox.next <= stream.end &&
		since(stream.at(r.inbox.next).Time.UnixNano()) <= r.inbox.seen && r.core.AcceptsRequest(r.moment(), false)
}
