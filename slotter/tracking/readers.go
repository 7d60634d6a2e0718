package tracking

import (
	"lull/slotter/datanode"
	"lull/slotter/facts"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
	"lull/subjects/tct"
)

// countReaders counts what the host's attempts read into the loads of data nodes.
// Like their rates, loads are kept up host by host, once a round.
func (t *Tracker) countReaders(h *facts.Host) {
	if t.DataNodes.ShouldForget() {
		t.ForgetReadings()
	}
	t.readers = t.ReadersOf(h, t.readers[:0])
	t.DataNodes.Update(h.Life, t.readers, t.Now)
}

// ReadersOf appends the host's attempts that read, rivals too. Attempts that wait
// for a slot of the host read nothing yet.
func (t *Tracker) ReadersOf(h *facts.Host, to []datanode.Reader) []datanode.Reader {
	residual, used := h.Residual(0), 0
	for _, at := range h.Life.Attempts() {
		used += int(h.Life.PlacesOf(at))
		rd := t.DataNodes.Reading(t.Ledger, at.Job, int(at.Task.Stage))
		if rd == nil || at.State > ledger.Running || used > h.Slots {
			continue
		}
		j := t.Jobs.Of[at.Job]
		if j == nil {
			continue
		}
		rate := rd.Rate(t.Ledger, j.Stages[at.Task.Stage].Curve, residual)
		if target := at.Rate(); target > 0 {
			rate = min(rate, int64(target)/int64(len(rd.Nodes())))
		}
		to = append(to, datanode.Reader{Attempt: at.ID, Reading: rd, Rate: rate})
	}
	return to
}

// LearnCapacity learns from a finished run what its data nodes can give. It must
// come before the host is settled, which drops what the attempt read. A task of a later stage
// has its input on its own host before its process starts: how long that runs says nothing of
// the hosts that kept it.
func (t *Tracker) LearnCapacity(seq uint64, at *ledger.Attempt, run *subjects.Run) {
	h, j := t.Hosts.Of[at.Host.Name], t.Jobs.Of[at.Job]
	if h == nil || j == nil || len(at.Job.Shape.Stages[at.Task.Stage].Sources) == 0 {
		return
	}
	if t.DataNodes.Learn(seq, h.Life, at.ID, t.slowdown(j, int(at.Task.Stage), run), t.Now) {
		t.Due.Slots = true
	}
}

// slowdown returns a run's time over the predicted one; 0 if nothing tested the prediction. The
// prediction is for the residual and the input that the task turned out to have. The data node is
// not to blame for what they explain.
func (t *Tracker) slowdown(j *facts.Job, stage int, run *subjects.Run) float64 {
	curve := j.Stages[stage].Curve
	if !curve.Fitted {
		return 0
	}
	expected := curve.Whole().Seconds(run.Residual)
	if bytes := j.Life.Stages[stage].Bytes; bytes > 0 && run.In > 0 {
		m := t.Ledger.Model(j.Life.Shape.Model(stage))
		expected *= tct.Factor(m, float64(run.In)) / tct.Factor(m, float64(bytes))
	}
	slow := run.Seconds / expected
	if cores := max(j.Life.Shape.Stages[stage].Cores(), spec.Core); computed(run, cores) {
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
func computed(run *subjects.Run, cores spec.Cores) bool {
	return run.CPU > 0 && run.CPU >= computing*run.Residual*cores.Float()*run.Seconds
}
