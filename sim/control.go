package sim

import (
	"errors"
	"fmt"
	"time"

	"lull/actors"
	"lull/actors/core"
	"lull/hostctl/actor"
	"lull/subjects"
	"lull/subjects/ledger"
)

// These are the things that a plan of faults may do to a World, from Faults.Begin on and from what
// it arms with At. Names are those of Effect.Process. An unknown name is an error in the plan, and ends
// the run.

// Now is the time since the scenario's begin, negative while the pool begins.
func (w *World) Now() time.Duration { return w.now }

// At calls do at a time: what it does happens between two effects.
func (w *World) At(at time.Duration, do func()) { w.arm(&timer{do: do}, at) }

// Ledger returns the state of the pool by the log so far. It may only be read.
func (w *World) Ledger() *ledger.State { return w.ledger }

// Log returns the first and the last sequence of the log.
func (w *World) Log() (first, last uint64) { return w.bus.log.first, w.bus.log.end }

// Event is an entry of the log, nil if it was trimmed away.
func (w *World) Event(seq uint64) subjects.Event {
	if seq < w.bus.log.first || seq > w.bus.log.end {
		return nil
	}
	return w.bus.log.at(seq).Event
}

// Crash ends a replica or an agent, with all its memory. What runs on the
// agent's host goes on.
func (w *World) Crash(process string) { w.with(process, (*replica).crash) }

// Stop ends a replica or an agent in order: its lease is given back, its state
// saved.
func (w *World) Stop(process string) {
	for _, h := range w.hosts {
		if h.agent.process == process {
			h.stop()
			return
		}
	}
	w.with(process, (*replica).stop)
}

// Start starts what was ended, from its last snapshot.
func (w *World) Start(process string) { w.with(process, (*replica).start) }

// Up reports whether a replica or an agent runs, and whether it leads.
func (w *World) Up(process string) (up, leads bool) {
	w.with(process, func(r *replica) { up, leads = r.up, r.up && r.core.Leading() })
	return up, leads
}

// Forget loses the last snapshot of a replica's partition.
func (w *World) Forget(process string) {
	w.with(process, func(r *replica) { delete(w.bus.snapshots, r.SnapshotName()) })
}

// Expire ends the lease of a replica's partition. The next replica that asks gets it, and the
// holder does not know for a while.
func (w *World) Expire(process string) {
	w.with(process, func(r *replica) { delete(w.bus.leases, r.Owner()) })
}

// Skew sets the clock of a replica's machine wrong by an offset from now on, and makes it gain so
// many seconds a second.
func (w *World) Skew(process string, offset time.Duration, drift float64) {
	w.with(process, func(r *replica) { r.machine.skew(offset, drift) })
}

// Inject appends bytes on a subject of the log, whatever they are.
func (w *World) Inject(subject string, body []byte) error { return w.inject(subject, body, false) }

// InjectOptional is Inject for an event that its writer marks optional: the stream keeps it
// even if this version lacks its kind.
func (w *World) InjectOptional(subject string, body []byte) error {
	return w.inject(subject, body, true)
}

func (w *World) inject(subject string, body []byte, optional bool) error {
	event, err := subjects.Decode(w.pool(), subject, body)
	if err != nil && !optional && errors.Is(err, subjects.ErrUnknownKind) {
		return err // the stream does not keep it
	}
	_, err = w.append([]core.Draft{{Event: event, Message: subjects.Message{Subject: subject, Body: body, Optional: optional}}}, actors.Fence{})
	return err
}

// SetLogFull makes the log refuse entries, or accept them again.
func (w *World) SetLogFull(full bool) {
	w.bus.limit = 0
	if full {
		w.bus.limit = 1
	}
}

// SetDiskFull makes a host's disk full, or not.
func (w *World) SetDiskFull(name string, full bool) {
	w.on(name, func(h *host) {
		h.full = full
		h.agent.report(actor.Disk{Full: full})
	})
}

// LoseOutputs loses the outputs on a host that other stages still read, and makes its agent look for
// them.
func (w *World) LoseOutputs(name string) {
	w.on(name, func(h *host) { h.agent.report(actor.Missing{Outputs: w.needed(name)}) })
}

// needed are the outputs that a host is to keep.
func (w *World) needed(name string) (outputs []actor.Output) {
	for j := range w.ledger.LiveJobs().All() {
		for stage := range j.Stages {
			for kept := range w.ledger.Needed(j, stage, w.ledger.Host(name), 0) {
				id := subjects.TaskID{Stage: uint32(stage), Task: kept.Task}
				outputs = append(outputs, actor.Output{Attempt: kept.Attempt, Job: j.ID, TaskID: id})
			}
		}
	}
	return outputs
}

// Leave makes a host's agent publish that it leaves, and end.
func (w *World) Leave(name string) {
	w.on(name, func(h *host) { h.agent.report(actor.Leave{}) })
}

// PowerOff ends a host with all that runs on it.
func (w *World) PowerOff(name string) {
	w.on(name, func(h *host) {
		h.agent.crash()
		for len(h.runs) > 0 {
			h.drop(h.runs[0].Attempt)
		}
		h.frozen = false
		h.reboot()
	})
}

// PowerOn starts the host's agent again.
func (w *World) PowerOn(name string) { w.Start("host/" + name) }

// Runs lists the attempts with processes that run on a host now.
func (w *World) Runs(name string) (attempts []uint64) {
	w.on(name, func(h *host) {
		for _, r := range h.runs {
			if r.running {
				attempts = append(attempts, r.Attempt)
			}
		}
	})
	return attempts
}

// Author returns the process that appended the entry with which Watch is called, and its term. It
// returns "" and 0 for an entry from outside, and for a Led or Joined.
func (w *World) Author() (process string, term uint64) { return w.author.process, w.author.term }

// State returns the state to which a replica has folded the log, nil while it is down.
func (w *World) State(process string) (state *ledger.State) {
	w.with(process, func(r *replica) {
		if a, ok := r.actor.(interface{ State() *ledger.State }); ok && r.up {
			state = a.State()
		}
	})
	return state
}

// Open is the number of jobs that have not ended, or are yet to come.
func (w *World) Open() int { return w.clients.open }

// End ends the run.
func (w *World) End() { w.ended = true }

// Queued is the number of samples and reports that a replica or an agent has
// not taken in yet.
func (w *World) Queued(process string) (n int) {
	w.with(process, func(r *replica) { n = len(r.samples) + len(r.reports) })
	return n
}

func (w *World) with(process string, do func(*replica)) {
	for _, r := range w.services {
		if r.process == process {
			do(r)
			return
		}
	}
	for _, h := range w.hosts {
		if h.agent.process == process {
			do(h.agent)
			return
		}
	}
	w.failure = fmt.Errorf("there is no %q: name a service as admission/0, an agent as host/<name>", process)
}

func (w *World) on(name string, do func(*host)) {
	if h := w.byHost[name]; h != nil {
		do(h)
		return
	}
	w.failure = fmt.Errorf("there is no host %q", name)
}
