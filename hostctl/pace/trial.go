package pace

// trial is an identification under way.
type trial struct {
	k    int
	t, c []float64
}

// step adds a sample and returns the next cap of the sine; more is false at the end of the
// trial. The trace has the caps that were in force, which the guard may have lowered.
func (t *trial) step(measured, inForce, most float64) (cores float64, more bool) {
	if n := len(t.c); n > 0 {
		t.c[n-1] = inForce
	}
	if t.k++; t.k <= settle {
		return most, true
	}
	if len(t.t) > Cycles*Period {
		return 0, false
	}
	cores = Sine(len(t.t), most)
	t.t, t.c = append(t.t, measured), append(t.c, cores)
	return cores, true
}

// add adds a throughput and the cap under which it was measured.
func (t *trial) add(measured, inForce float64) {
	t.t, t.c = append(t.t, measured), append(t.c, inForce)
}

// mean is the average throughput and the average cap of the trial.
func (t *trial) mean() (throughput, cores float64) {
	n := 0.0
	for k := 1; k < len(t.t); k++ {
		if finite(t.t[k], t.c[k-1]) {
			throughput, cores, n = throughput+t.t[k], cores+t.c[k-1], n+1
		}
	}
	return throughput / max(n, 1), cores / max(n, 1)
}

// guessModel is a model for a task without an identified one, from its throughput at a cap.
func guessModel(throughput, cores float64) Model {
	const a = 0.2 // between those of Table 1, 0.05 to 0.32
	return Model{A: a, B: (1 - a) * throughput / max(cores, Least)}
}

// conclude ends the trial. If the model is refused, the task is controlled by a guessed
// model, which is less exact. If there is no usable guess either, the task is not
// controlled until it has enough throughput for one.
func (d *Driver) conclude() {
	m, err := Identify(d.trial.t, d.trial.c)
	d.learnt = &Learnt{Model: m, Brief: d.trial.k < Enough}
	if err != nil {
		d.learnt.Refused = err.Error()
		m = guessModel(d.trial.mean())
	}
	d.trial = nil
	if m.Usable() {
		d.controlWith(m)
	}
}
