package slotter

import (
	"lull/slotter/datanode"
	"lull/subjects"
	"lull/subjects/ledger"
)

// countReaders counts what the host's attempts read into the loads of data nodes.
// Like their rates, loads are kept up host by host, once a round.
func (a *Actor) countReaders(h *host) {
	if a.dataNodes.Crowded() {
		a.forgetReadings()
	}
	a.readers = a.readersOf(h, a.readers[:0])
	a.dataNodes.Update(h.life, a.readers, a.now)
}

// readersOf appends the host's attempts that read, rivals too. Attempts that wait
// for a slot of the host read nothing yet.
func (a *Actor) readersOf(h *host, to []datanode.Reader) []datanode.Reader {
	residual, used := h.residual(0), 0
	for _, at := range h.life.Attempts() {
		used += int(at.Width)
		rd := a.dataNodes.Reading(a.state, at.Job, int(at.Task.Stage))
		if rd == nil || at.State > ledger.Running || used > h.slots {
			continue
		}
		j := a.jobs.of[at.Job]
		if j == nil {
			continue
		}
		rate := rd.Rate(a.state, j.stages[at.Task.Stage].curve, residual)
		if told := at.Rate(); told > 0 {
			rate = min(rate, int64(told)/int64(len(rd.Nodes())))
		}
		to = append(to, datanode.Reader{Attempt: at.ID, Reading: rd, Rate: rate})
	}
	return to
}

// forgetReadings has the nodes of stages looked up anew: outputs may be on other hosts
// now, or the jobs over.
func (a *Actor) forgetReadings() {
	live := 0
	for _, j := range a.jobs.bySeq {
		live += len(j.stages)
	}
	a.dataNodes.Forget(live)
}

// learnCapacity learns from a finished run what its data nodes can give. It must
// come before the host is settled, which drops what the attempt read.
func (a *Actor) learnCapacity(seq uint64, at *ledger.Attempt, run *subjects.Run) {
	h, j := a.hosts.of[at.Host.Name], a.jobs.of[at.Job]
	if h == nil || j == nil {
		return
	}
	if a.dataNodes.Learn(seq, h.life, at.ID, a.slowdown(j, int(at.Task.Stage), run), a.now) {
		a.due.slots = true
	}
}
