package bound

import (
	"lull/placer/predict"
)

// Least returns a number of seconds that the application takes at least, whichever r hosts of the
// snapshot it has; with fewer, whichever r or fewer.
func Least(app *predict.Application, s *predict.Snapshot, r int, fewer bool) float64 {
	b := &relaxation{app: app, snapshot: s, hosts: r, fewer: fewer, bytes: make([]float64, len(app.Stages)), parts: make([][]float64, len(app.Stages))}
	ends := make([]float64, len(app.Stages))
	last := 0.0
	for i := range app.Stages {
		begins := 0.0
		for _, from := range app.Stages[i].From {
			begins = max(begins, ends[from.Stage])
		}
		ends[i] = begins + b.stage(i)
		last = max(last, ends[i])
	}
	return last
}

type relaxation struct {
	app      *predict.Application
	snapshot *predict.Snapshot
	hosts    int
	fewer    bool
	bytes    []float64   // that a stage writes
	parts    [][]float64 // largest part of it in each rack
}

// stage is the least time from when a stage may begin to when it is complete.
func (b *relaxation) stage(i int) float64 {
	s, racks := &b.app.Stages[i], len(b.snapshot.Tree.Racks)
	if len(s.Held) > 0 {
		b.held(i)
		return 0
	}
	read := s.Input
	for _, from := range s.From {
		read += b.read(from, s.Tasks)
	}
	b.bytes[i] = read * s.Gives * float64(s.Tasks)
	all := speeds(b.snapshot, s, read*(1+s.Gives))
	b.parts[i] = ones(racks)
	least := leastTime(all, s.Tasks, b.hosts)
	switch {
	case b.fewer: // one rack may have all
	case len(s.From) == 0 && b.first(i):
		b.parts[i] = inWaves(all, racks, s.Tasks, b.hosts)
	case b.alone(i) && s.Tasks <= leastSlots(all, b.hosts):
		b.parts[i] = atOnce(all, racks, s.Tasks, b.hosts)
	}
	run := leastTime(all, 1, b.hosts)
	for _, from := range s.From {
		least = max(least, b.crossing(from, s.Tasks, b.parts[i])+run)
	}
	return least
}

// read is what a task reads of an earlier stage.
func (b *relaxation) read(from predict.From, tasks int) float64 {
	switch from.Kind {
	case predict.Part:
		return b.bytes[from.Stage] / float64(tasks)
	case predict.All:
		return b.bytes[from.Stage]
	case predict.Same:
		return b.bytes[from.Stage] / float64(max(b.app.Stages[from.Stage].Tasks, 1))
	}
	return 0
}

// crossing is the least time that what a stage's tasks read of an earlier one needs between racks. What a
// task reads of a single other one may all stand on its host.
func (b *relaxation) crossing(from predict.From, tasks int, readers []float64) float64 {
	if from.Kind == predict.Same || from.Kind == predict.After {
		return 0
	}
	caps := make([]part, len(readers))
	for i := range caps {
		caps[i] = part{b.parts[from.Stage][i], readers[i]}
	}
	return cross(b.snapshot, b.read(from, tasks)*float64(tasks), caps)
}

// held counts where the output of a complete stage stands.
func (b *relaxation) held(i int) {
	b.parts[i] = make([]float64, len(b.snapshot.Tree.Racks))
	for _, held := range b.app.Stages[i].Held {
		b.bytes[i] += held.Bytes
		b.parts[i][b.snapshot.Tree.Hosts[held.Host].Rack] += held.Bytes
	}
	for rack := range b.parts[i] {
		if b.bytes[i] > 0 {
			b.parts[i][rack] /= b.bytes[i]
		}
	}
}

// first reports whether the stage has all slots for itself from the begin: all others wait for it.
func (b *relaxation) first(i int) bool { return i == 0 && b.alone(i) }

// alone reports whether no other stage can run at the same time: each is before the stage or after it.
func (b *relaxation) alone(i int) bool {
	before, after := make([]bool, len(b.app.Stages)), make([]bool, len(b.app.Stages))
	after[i], before[i] = true, true
	for j := range b.app.Stages {
		for _, from := range b.app.Stages[j].From {
			after[j] = after[j] || after[from.Stage]
		}
	}
	for j := i; j >= 0; j-- {
		for _, from := range b.app.Stages[j].From {
			before[from.Stage] = before[from.Stage] || before[j]
		}
	}
	for j := range b.app.Stages {
		if !before[j] && !after[j] && len(b.app.Stages[j].Held) == 0 {
			return false
		}
	}
	return true
}

func ones(n int) []float64 {
	all := make([]float64, n)
	for i := range all {
		all[i] = 1
	}
	return all
}
