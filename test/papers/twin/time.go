package twin

import (
	"math"

	"lull/placer/predict"
	"lull/subjects/tct"
)

// pace computes how fast each run goes, and begins those whose input is there.
func (w *world) pace() {
	for i := range w.hosts {
		h := &w.hosts[i]
		for _, t := range h.tasks {
			if !t.running && t.open == 0 && len(t.waiting) == 0 {
				t.running, t.left = true, 1
			}
			if !t.running {
				continue
			}
			s := &w.app.Stages[t.stage]
			r := max(tct.Residual(h.idle, h.others+h.busy), tct.MinResidual)
			seconds := s.Curve.Seconds(r)
			if h.disk > 0 {
				seconds = max(seconds, (w.read(t)*(1+s.Gives))*float64(h.busy)/h.disk)
			}
			t.rate = 1 / (seconds + s.Overhead)
		}
	}
}

// read is what a task reads, wherever it stands.
func (w *world) read(t *task) float64 {
	s := &w.app.Stages[t.stage]
	sum := s.Input
	for _, from := range s.From {
		for number, o := range w.outputs[from.Stage] {
			switch {
			case from.Kind == predict.Part:
				sum += o.bytes / float64(s.Tasks)
			case from.Kind == predict.All, from.Kind == predict.Same && number == t.number:
				sum += o.bytes
			}
		}
	}
	return sum
}

// step is the time until something ends.
func (w *world) step() float64 {
	step := math.Inf(1)
	for _, t := range w.net.active {
		step = min(step, t.left/t.rate)
	}
	for i := range w.hosts {
		for _, t := range w.hosts[i].tasks {
			if t.running {
				step = min(step, t.left/t.rate)
			}
		}
	}
	return step
}

// tiny is the time, in seconds, by which rounding may leave a transfer or run unfinished that is over.
const tiny = 1e-9

// advance lets time pass, and ends what is over.
func (w *world) advance(step float64) {
	w.now += step
	active := w.net.active[:0]
	for _, t := range w.net.active {
		if t.left -= t.rate * step; t.left > t.rate*tiny*w.now {
			active = append(active, t)
		} else {
			t.task.open--
		}
	}
	w.net.active = active
	for i := range w.hosts {
		h := &w.hosts[i]
		tasks := h.tasks[:0]
		for _, t := range h.tasks {
			if t.running {
				t.left -= t.rate * step
			}
			if !t.running || t.left > t.rate*tiny*w.now {
				tasks = append(tasks, t)
				continue
			}
			h.busy--
			w.ended[t.stage]++
			w.outputs[t.stage][t.number] = output{t.host, w.read(t) * w.app.Stages[t.stage].Gives}
		}
		h.tasks = tasks
	}
}
