package sim

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"lull/actors"
	"lull/hostctl/actor"
	"lull/subjects"
	"lull/subjects/spec"
)

// host is a machine: its primary, its agent (a replica of hostctl/actor) and
// what the agent's shims run.
type host struct {
	Host
	w       *World
	machine *machine
	agent   *replica
	primary *primary
	boot    string // identity of its kernel
	boots   int

	runs   []*run // that the shims know, by attempt
	frozen bool
	full   bool          // the disk
	at     time.Duration // until when the runs' work is counted
	batch  float64       // core-seconds that runs used
	idle   float64       // core-seconds that the primary left

	ending, shift timer // the next run's end, the next change of load
	monitor       monitor
	shared        *shared // in a coarse scenario
	allotted      float64 // residual of each slot, as runs were given it
	divided       float64 // idle cores that parts of slots were given, 0 without any
	guard         guardian
}

// placesAhead is how many brief tasks wait on a host for a slot: see
// hostctl.Config.
const placesAhead = 4

func (w *World) addHost(spec *Host) {
	h := &host{Host: *spec, w: w, machine: &machine{w: w}, at: w.now}
	if w.Coarse {
		h.shared = shareLoad(w, h)
		h.primary = h.shared.primary
	} else {
		h.primary = newPrimary(spec.Load, w.now)
		w.arm(&h.shift, max(h.primary.until, 0))
	}
	h.guard.begin(h)
	h.reboot()
	h.agent = w.newReplica(h.role(), "host/"+h.Name, h.machine)
	h.ending.do, h.shift.do = h.endDue, h.followPrimary
	w.hosts, w.byHost[h.Name] = append(w.hosts, h), h
	h.monitor.begin(h)
	w.after(h.agent.latency(), h.agent.start)
}

func (h *host) role() role {
	r := actor.Role(h.w.pool(), h.Name)
	r.SnapshotAfter = 0 // see World.role
	return role{
		Role: r,
		make: func() (actors.Actor, error) {
			return actor.New(actor.Config{
				Host: h.Name, Cores: h.Cores, Slots: h.Slots, Ahead: placesAhead * h.Slots, ReserveCPU: h.Reserve, Stay: true,
			}), nil
		},
		claim: h.joined, perform: h.perform, born: h.born,
	}
}

// format returns the version that hosts and services declare to understand: none, unless a job needs it. So
// the digests of sealed logs stay the same.
func (w *World) format() uint32 {
	if slices.ContainsFunc(w.Jobs, func(j Job) bool { return spec.TakesParts(&j.Spec) }) {
		return subjects.Format
	}
	return 0
}

// joined is the host's next incarnation.
func (h *host) joined(instance string) subjects.Event {
	return &subjects.Joined{
		Host: h.Name, Instance: instance, Boot: h.boot, Cores: h.Cores, Slots: h.Slots,
		Ahead: placesAhead * h.Slots, Memory: h.Memory, Labels: h.Labels, Tenant: h.Tenant, ReserveCPU: h.Reserve, Format: h.w.format(),
	}
}

// reboot gives the machine a new kernel: nothing of the last one is left.
func (h *host) reboot() {
	h.boots++
	h.boot = fmt.Sprintf("%s-%d", h.Name, h.boots)
	h.guard.release()
}

// born reports what the shims hold to a new agent.
func (h *host) born() {
	h.guard.restart()
	held := make([]actor.Held, len(h.runs))
	for i, r := range h.runs {
		held[i] = actor.Held{Attempt: r.Attempt, Slot: r.Slot}
	}
	h.agent.reports = append(h.agent.reports, actor.Disk{Full: h.full}, actor.Adopted{Attempts: held})
	h.w.arm(&h.agent.reportTimer, h.w.now)
}

// stop ends the agent in order. What runs goes on, without the guard's limits.
func (h *host) stop() {
	h.agent.stop()
	h.guard.restart()
}

// indexOf returns where an attempt is among the runs, or would be.
func (h *host) indexOf(attempt uint64) (int, bool) {
	return slices.BinarySearchFunc(h.runs, attempt, func(r *run, id uint64) int { return cmp.Compare(r.Attempt, id) })
}

func (h *host) run(attempt uint64) *run {
	if i, ok := h.indexOf(attempt); ok {
		return h.runs[i]
	}
	return nil
}

// drop forgets a run, and ends it if it is not over.
func (h *host) drop(attempt uint64) {
	i, ok := h.indexOf(attempt)
	if !ok {
		return
	}
	r := h.runs[i]
	if r.running {
		h.settle()
		r.stop(h)
	}
	r.ended = &actor.Ended{}
	h.runs = slices.Delete(h.runs, i, i+1)
	h.abandon(r)
	h.updateSpeeds()
}
