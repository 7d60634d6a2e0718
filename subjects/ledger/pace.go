package ledger

import (
	"cmp"
	"slices"

	"lull/subjects"
)

// Pace is the latest Paced of a job's tasks on a host: how fast they are to read their input.
type Pace struct {
	Host  *Host
	Term  uint64 // incarnation of the host that it was sent to
	Rates []subjects.Rate
	Share float64 // the job's part of the pool's capacity, 0–1
	Why   string
	For   []string // the jobs because of which the rate is no higher
}

// InForce reports whether the host's present incarnation got it.
func (p *Pace) InForce() bool { return p != nil && p.Term == p.Host.Term }

// Rate is what each task of a stage is to read there, in bytes/s; 0 for as fast
// as it may.
func (p *Pace) Rate(stage uint32) float64 {
	if !p.InForce() {
		return 0
	}
	for _, r := range p.Rates {
		if r.Stage == stage {
			return r.Rate
		}
	}
	return 0
}

// Pace returns the latest pace of the job's tasks on a host, or nil.
func (j *Job) Pace(h *Host) *Pace {
	if at, ok := j.pace(h); ok {
		return j.paces[at]
	}
	return nil
}

// pace returns where a host's pace is, or would be: by the hosts' ids.
func (j *Job) pace(h *Host) (int, bool) {
	return slices.BinarySearchFunc(j.paces, h.id, func(p *Pace, id uint32) int { return cmp.Compare(p.Host.id, id) })
}

// Paces returns the latest paces of the job's tasks, host by host in the order in which the hosts
// first joined. Do not change them.
func (j *Job) Paces() []*Pace { return j.paces }

// Rate is what the attempt is to read now, in bytes/s; 0 for as fast as it may.
func (a *Attempt) Rate() float64 { return a.Job.Pace(a.Host).Rate(a.Task.Stage) }

func (s *State) paced(e *subjects.Paced) Verdict {
	j, h := s.jobs[e.Job], s.hosts[e.Host]
	switch {
	case j == nil || !j.Live():
		return void("no such job runs")
	case h == nil || h.Term != e.Term:
		return void("the host is unknown, or has joined again since")
	case slices.ContainsFunc(e.Rates, func(r subjects.Rate) bool { return int64(r.Stage) >= int64(len(j.Stages)) }):
		return void("the job has no such stage")
	}
	at, known := j.pace(h)
	if !known {
		j.paces = slices.Insert(j.paces, at, &Pace{Host: h})
	}
	p := j.paces[at]
	p.Term, p.Rates, p.Share, p.Why, p.For = e.Term, e.Rates, e.Share, e.Why, e.For
	for _, a := range h.attempts {
		if a.Job == j {
			a.notePace(p)
		}
	}
	return accepted
}

// notePace remembers that the attempt did not run as fast as it could: its time
// says nothing about its model any more.
func (a *Attempt) notePace(p *Pace) { a.Paced = a.Paced || p.Rate(a.Task.Stage) > 0 }

// unpace forgets the paces of a job that will not run again.
func (j *Job) unpace() { j.paces = nil }
