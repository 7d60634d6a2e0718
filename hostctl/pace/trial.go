package pace

// trial is an identification under way.
type trial struct {
	k    int
	t, c []float64
}

// step notes a sample and returns the next cap of the sine; false when it is
// over. The cap that counts is the one in force, which a guard may have lowered.
func (t *trial) step(measured, inForce, most float64) (cap float64, more bool) {
	if n := len(t.c); n > 0 {
		t.c[n-1] = inForce
	}
	if t.k++; t.k <= settle {
		return most, true
	}
	if len(t.t) > Cycles*Period {
		return 0, false
	}
	cap = Sine(len(t.t), most)
	t.t, t.c = append(t.t, measured), append(t.c, cap)
	return cap, true
}

// see notes a throughput beside the cap that it was had at.
func (t *trial) see(measured, inForce float64) {
	t.t, t.c = append(t.t, measured), append(t.c, inForce)
}

// mean is the trial's throughput and its cap, on average.
func (t *trial) mean() (throughput, cores float64) {
	n := 0.0
	for k := 1; k < len(t.t); k++ {
		if finite(t.t[k], t.c[k-1]) {
			throughput, cores, n = throughput+t.t[k], cores+t.c[k-1], n+1
		}
	}
	return throughput / max(n, 1), cores / max(n, 1)
}

// guess is a model for a task that none was found for, from a throughput at a cap.
func guess(throughput, cores float64) Model {
	const a = 0.2 // between those of Table 1, 0.05 to 0.32
	return Model{A: a, B: (1 - a) * throughput / max(cores, Least)}
}

// conclude ends the trial. A task whose model is refused is controlled by a guess:
// it is throttled when it should be, if less exactly. One that showed nothing at
// all is left alone until it does.
func (d *Driver) conclude() {
	m, err := Identify(d.trial.t, d.trial.c)
	d.learnt = &Learnt{Model: m, Brief: d.trial.k < Enough}
	if err != nil {
		d.learnt.Refused = err.Error()
		m = guess(d.trial.mean())
	}
	d.trial = nil
	if m.Usable() {
		d.take(m)
	}
}
