package slotter

import (
	"lull/slotter/datanode"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/tct"
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

// slowdown returns a run's time over the predicted one; 0 if nothing tested the prediction. The
// prediction is for the residual and the input that the task turned out to have. The data node is
// not to blame for what they explain.
func (t *tracker) slowdown(j *job, stage int, run *subjects.Run) float64 {
	curve := j.stages[stage].curve
	if !curve.Fitted {
		return 0
	}
	expected := curve.Seconds(run.Residual)
	if bytes := j.life.Stages[stage].Bytes; bytes > 0 && run.In > 0 {
		m := t.state.Model(j.life.Shape.Model(stage))
		expected *= tct.Factor(m, float64(run.In)) / tct.Factor(m, float64(bytes))
	}
	slow := run.Seconds / expected
	if width := j.life.Shape.Stages[stage].CPU; computed(run, width) {
		return min(slow, 1)
	}
	return slow
}

// computing is the part of the CPU that its residual leaves a task from which on
// it counts as computing all the time.
const computing = 0.85

// computed reports whether a run used the CPU that it could have all along.
// Whatever made it slow then, such as a larger part of the work than the others
// have, it did not wait for its input.
func computed(run *subjects.Run, width uint32) bool {
	return run.CPU > 0 && run.CPU >= computing*run.Residual*float64(width)*run.Seconds
}
