package bound

import (
	"lull/placer/predict"
)

// Equal returns the exact optimum of an application that uses all slots of r equal hosts alike: a chain
// of stages, each with as many tasks as a multiple of the slots, which shuffle or wait. counts is
// how many hosts of each rack attain it. Where disks limit runs, it takes the tasks of a host to end
// together. One that has its input sooner ends sooner, and leaves its part of the disk to the others: by
// that a job may end a little before the optimum. ok is false if the application or the pool is not of this kind.
func Equal(app *predict.Application, s *predict.Snapshot, r int) (seconds float64, counts []int, ok bool) {
	if r < 1 || r > len(s.Hosts) || !alike(s) || len(s.Tree.Aggregations) > 0 {
		return 0, nil, false
	}
	racks := make([]Rack, len(s.Tree.Racks))
	for i, rack := range s.Tree.Racks {
		racks[i] = Rack{Up: rack.Up, Down: rack.Down}
	}
	for _, h := range s.Tree.Hosts {
		racks[h.Rack].Hosts++
	}
	host := s.Tree.Hosts[0]
	nic := min(host.In, host.Out)
	if host.Disk > 0 {
		nic = min(nic, host.Disk)
	}
	read := 0.0 // bytes in all, by the stage at hand
	for i := range app.Stages {
		stage := &app.Stages[i]
		if !chained(stage, i) {
			return 0, nil, false
		}
		moves := i > 0 && stage.From[0].Kind == predict.Part
		if !moves {
			read = 0
		}
		read += stage.Input * float64(stage.Tasks)
		v := speeds(s, stage, read/float64(stage.Tasks)*(1+stage.Gives))[0]
		if v.slots < s.Hosts[0].Slots || stage.Tasks%(r*v.slots) != 0 {
			return 0, nil, false
		}
		if moves {
			var moving float64
			moving, counts = AllToAll(racks, r, (read-stage.Input*float64(stage.Tasks))/float64(r*r), nic)
			seconds += moving
		}
		seconds += float64(stage.Tasks/(r*v.slots)) * v.full
		read *= stage.Gives
	}
	return seconds, counts, counts != nil
}

// chained reports whether the stage reads nothing but a part of the one before it.
func chained(stage *predict.Stage, i int) bool {
	if len(stage.Held) > 0 {
		return false
	}
	if i == 0 {
		return len(stage.From) == 0
	}
	return len(stage.From) == 1 && stage.From[0].Stage == i-1 &&
		(stage.From[0].Kind == predict.Part || stage.From[0].Kind == predict.After)
}

// alike reports whether all hosts are equal but for their racks.
func alike(s *predict.Snapshot) bool {
	for i, h := range s.Tree.Hosts {
		o := s.Tree.Hosts[0]
		if h.In != o.In || h.Out != o.Out || h.Disk != o.Disk || s.Hosts[i] != s.Hosts[0] {
			return false
		}
	}
	return len(s.Hosts) > 0
}
