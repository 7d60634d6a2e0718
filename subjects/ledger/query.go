package ledger

import (
	"iter"
	"slices"

	"lull/subjects"
)

// Job returns the job of an id, nil if none is known.
func (s *State) Job(id string) *Job { return s.jobs[id] }

// Submission returns the job that an entry of the log submitted, nil if none is known.
func (s *State) Submission(seq uint64) *Job {
	j, _ := s.order.Find(&Job{Seq: seq})
	return j
}

// Jobs are all jobs that are known, by submission.
func (s *State) Jobs() *Jobs { return &s.order }

// LiveJobs are the jobs that have not ended, by submission.
func (s *State) LiveJobs() *Jobs { return &s.live }

// Host returns the host of a name, nil if none is known.
func (s *State) Host(name string) *Host { return s.hosts[name] }

// Hosts are all hosts, by name.
func (s *State) Hosts() []*Host { return s.byName }

// Attempt returns an attempt that occupies a host, nil if it is gone.
func (s *State) Attempt(id uint64) *Attempt { return s.attempts.find(id) }

// Occupied is the number of attempts that occupy hosts.
func (s *State) Occupied() int { return s.attempts.n }

// Model returns what was fitted last for a job type, nil if nothing was.
func (s *State) Model(jobType string) *subjects.Fitted { return s.models.of[jobType] }

// Models are all fitted models, by type.
func (s *State) Models() iter.Seq[*subjects.Fitted] {
	return func(yield func(*subjects.Fitted) bool) {
		for _, t := range s.models.names {
			if !yield(s.models.of[t]) {
				return
			}
		}
	}
}

// Kept is where a task's committed output is.
type Kept struct {
	Task     uint32
	Attempt  uint64
	Host     *Host
	Manifest subjects.Digest
}

// Outputs lists where the committed outputs of a stage are, by task, leaving
// out tasks that wrote no file.
func (s *State) Outputs(j *Job, stage int) iter.Seq[Kept] {
	return s.OutputsOf(j, stage, 0, uint32(j.Stages[stage].Len()))
}

// OutputsOf is Outputs of the tasks from one to before another.
func (s *State) OutputsOf(j *Job, stage int, from, to uint32) iter.Seq[Kept] {
	return func(yield func(Kept) bool) {
		tasks := j.Stages[stage].tasks
		for i := from; uint64(i) < min(uint64(to), uint64(len(tasks))); i++ {
			t := &tasks[i]
			if t.state != Done || t.manifest == (subjects.Digest{}) {
				continue
			}
			if !yield(Kept{i, t.attempt, s.byID[t.host], t.manifest}) {
				return
			}
		}
	}
}

// LostOutputs lists, for a live job, the done tasks of a stage whose outputs went with a lost host
// while an unfinished stage still reads them.
func (s *State) LostOutputs(j *Job, stage int) []Kept {
	if !j.needs(stage) {
		return nil
	}
	var lost []Kept
	for kept := range s.Outputs(j, stage) {
		if kept.Host.Lost {
			lost = append(lost, kept)
		}
	}
	return lost
}

// Needed lists, for a live job, the outputs of a stage that a host keeps while an unfinished stage
// still reads them, from a task on.
func (s *State) Needed(j *Job, stage int, h *Host, from uint32) iter.Seq[Kept] {
	return func(yield func(Kept) bool) {
		if !j.Live() || !j.needs(stage) {
			return
		}
		for kept := range s.OutputsOf(j, stage, from, uint32(j.Stages[stage].Len())) {
			if kept.Host == h && !yield(kept) {
				return
			}
		}
	}
}

// needs reports whether a stage that is not done reads this one's outputs.
func (j *Job) needs(stage int) bool {
	for i := range j.Shape.Stages {
		if j.Over(i) {
			continue
		}
		for _, f := range j.Shape.Stages[i].From {
			if int(f.Stage) == stage {
				return true
			}
		}
	}
	return false
}

// Types are the job types with a model, sorted.
func (s *State) Types() []string { return slices.Clone(s.models.names) }

// Keeps reports whether a live job still needs outputs that the host keeps.
func (s *State) Keeps(j *Job, h *Host) bool {
	for i := range j.Stages {
		for range s.Needed(j, i, h, 0) {
			return true
		}
	}
	return false
}
