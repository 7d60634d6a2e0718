package sim

import (
	"crypto/sha256"
	"slices"
	"time"

	"lull/actors"
	"lull/hostctl/actor"
	"lull/subjects"
)

// perform carries out what the agent's actor decided, as package hostctl does.
func (h *host) perform(action actors.Action) {
	switch act := action.(type) {
	case actor.Start:
		h.launch(act.Task)
	case actor.Adopt:
		h.adopt(act.Attempt)
	case actor.Kill:
		h.kill(act)
	case actor.Drop:
		h.drop(act.Attempt)
	case actor.Forget:
		h.drop(act.Attempt)
	case actor.Pace:
		h.setPace(act)
	case actor.Freeze:
		h.freeze(true)
	case actor.Thaw:
		h.freeze(false)
	case actor.SetBeat:
		h.monitor.setBeat(act.Beat)
	case actor.Rejoin:
		h.w.after(0, h.rejoin)
	case actor.Gone:
		h.w.after(0, h.stop)
	}
}

// rejoin opens a new term of the same process, with an actor that knows nothing.
func (h *host) rejoin() {
	if h.agent.up {
		h.agent.stop()
		h.agent.start()
	}
}

// launch makes an attempt's process, after Overhead.
func (h *host) launch(t actor.Task) {
	f := h.w.fate(OpStart, h.agent.process, "")
	if f.Crash == CrashBefore {
		h.agent.crashFor(f.Down)
		return
	}
	r := h.newRun(t)
	i, _ := h.indexOf(t.Attempt)
	h.runs = slices.Insert(h.runs, i, r)
	h.w.after(h.w.Overhead+f.Delay, func() {
		switch {
		case r.ended != nil: // it was killed before it began
		case f.Refuse != nil:
			h.endAndReport(r, actor.Ended{Outcome: actor.Declined, Reason: subjects.ReasonDisk, Text: f.Refuse.Error()})
		case f.Lose:
			h.endAndReport(r, actor.Ended{Outcome: actor.Evicted, Reason: subjects.ReasonVanished})
		default:
			h.gather(r)
		}
	})
	if f.Crash == CrashAfter {
		h.agent.crashFor(f.Down)
	}
}

func (h *host) begin(r *run) {
	h.settle()
	r.begin(h)
	h.updateSpeeds()
	h.guard.wake()
	h.agent.report(actor.Running{Attempt: r.Attempt, At: r.at})
}

// adopt reports the state of an attempt to a new agent.
func (h *host) adopt(attempt uint64) {
	r := h.run(attempt)
	if r == nil {
		return
	}
	if r.at != 0 {
		h.agent.report(actor.Running{Attempt: attempt, At: r.at})
	}
	if r.ended != nil {
		h.agent.report(*r.ended)
	}
}

// killDelay is the time from a kill to the end of the process.
const killDelay = time.Millisecond

func (h *host) kill(k actor.Kill) {
	r := h.run(k.Attempt)
	if r == nil {
		return
	}
	h.w.after(killDelay, func() {
		if r.ended == nil {
			h.endAndReport(r, actor.Ended{Outcome: actor.Evicted, Reason: k.Reason})
		}
	})
}

func (h *host) freeze(frozen bool) {
	if h.frozen != frozen {
		h.settle()
		h.frozen = frozen
		h.updateSpeeds()
	}
}

// endAndReport ends a run and reports it.
func (h *host) endAndReport(r *run, end actor.Ended) {
	h.settle()
	h.endRun(r, end)
	h.updateSpeeds()
	h.agent.report(*r.ended)
}

// endRun ends a run.
func (h *host) endRun(r *run, end actor.Ended) {
	end.Attempt, end.Run = r.Attempt, r.used(h.w.now)
	if end.Outcome == actor.Finished {
		end.Fetch, end.Run.Out = r.copied, int64(r.written())
	}
	if end.Outcome == actor.Finished && r.kept {
		end.Files, end.Manifest = 1, manifest(r)
		h.w.outputs.put(r.Job, r.Attempt, r.written())
	}
	if r.running {
		r.stop(h)
	}
	r.ended = &end
	h.abandon(r)
}

// manifest returns a stand-in for the digest of an attempt's manifest.
func manifest(r *run) (d subjects.Digest) {
	sum := sha256.Sum256([]byte{byte(r.Attempt), byte(r.Attempt >> 8), byte(r.Attempt >> 16), byte(r.Attempt >> 24), 1})
	copy(d[:], sum[:])
	return d
}
