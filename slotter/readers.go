package slotter

import (
	"lull/slotter/datanode"
	"lull/subjects"
	"lull/subjects/ledger"
)

// countReaders counts what the host's attempts read into the loads of data nodes.
// Like their rates, loads are kept up host by host, once a round.
func (t *tracker) countReaders(h *host) {
	if t.dataNodes.Crowded() {
		t.forgetReadings()
	}
	t.readers = t.readersOf(h, t.readers[:0])
	t.dataNodes.Update(h.life, t.readers, t.now)
}

// readersOf appends the host's attempts that read, rivals too. Attempts that wait
// for a slot of the host read nothing yet.
func (t *tracker) readersOf(h *host, to []datanode.Reader) []datanode.Reader {
	residual, used := h.residual(0), 0
	for _, at := range h.life.Attempts() {
		used += int(at.Width)
		rd := t.dataNodes.Reading(t.state, at.Job, int(at.Task.Stage))
		if rd == nil || at.State > ledger.Running || used > h.slots {
			continue
		}
		j := t.jobs.of[at.Job]
		if j == nil {
			continue
		}
		rate := rd.Rate(t.state, j.stages[at.Task.Stage].curve, residual)
		if told := at.Rate(); told > 0 {
			rate = min(rate, int64(told)/int64(len(rd.Nodes())))
		}
		to = append(to, datanode.Reader{Attempt: at.ID, Reading: rd, Rate: rate})
	}
	return to
}

// learnCapacity learns from a finished run what its data nodes can give. It must
// come before the host is settled, which drops what the attempt read.
func (t *tracker) learnCapacity(seq uint64, at *ledger.Attempt, run *subjects.Run) {
	h, j := t.hosts.of[at.Host.Name], t.jobs.of[at.Job]
	if h == nil || j == nil {
		return
	}
	if t.dataNodes.Learn(seq, h.life, at.ID, t.slowdown(j, int(at.Task.Stage), run), t.now) {
		t.due.slots = true
	}
}
