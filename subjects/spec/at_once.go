package spec

import "slices"

// How many tasks run at the same time: of a stage, and of all stages of a job together. Services of before Format 6
// pass over these bounds.

// BoundsAtOnce reports whether the job or any stage of it says how many tasks run at once.
func BoundsAtOnce(j *Job) bool {
	return j.AtOnce > 0 || slices.ContainsFunc(j.Stages, func(s Stage) bool { return s.AtOnce > 0 })
}

// MostAtOnce returns how many tasks of a stage run at once at most, by the bounds of the stage and of its job.
func MostAtOnce(j *Job, stage int) uint32 {
	s := &j.Stages[stage]
	most := s.Tasks
	if s.AtOnce > 0 {
		most = min(most, s.AtOnce)
	}
	if j.AtOnce > 0 {
		most = min(most, j.AtOnce)
	}
	return most
}

func atOnceOfJob(d *Doc) field {
	return whole("at_once", &d.AtOnce, 1, MaxTasks).says("How many tasks of the job run at the same time at most, whatever their stage. Default: no bound. `lull run -j N` sets it.")
}

func atOnceOfStage(s *DocStage) field {
	return whole("at_once", &s.AtOnce, 1, MaxTasks).says("How many tasks of the stage run at the same time at most, for a licence or a server that takes no more. Default: no bound.")
}

// checkAtOnce checks the bounds of a canonical job.
func checkAtOnce(j *Job) error {
	if j.AtOnce > MaxTasks {
		return faultf("at_once", "%d tasks at once are out of bounds: give 1 to %d, or leave it out for no bound", j.AtOnce, MaxTasks)
	}
	for i := range j.Stages {
		if n := j.Stages[i].AtOnce; n > MaxTasks {
			return faultf(index("stages", i)+".at_once", "%d tasks at once are out of bounds: give 1 to %d, or leave it out for no bound", n, MaxTasks)
		}
	}
	return nil
}
