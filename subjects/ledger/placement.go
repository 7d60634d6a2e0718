package ledger

import (
	"fmt"
	"slices"
	"strings"

	"lull/subjects"
)

// Placement is the last word on where a job's tasks run.
type Placement struct {
	*subjects.Placed
	At    int64 `msgpack:"at"`              // Unix nanoseconds, by the log
	Began int64 `msgpack:"began,omitempty"` // when a task was first given away after it, 0 if none was
	Ran   int64 `msgpack:"ran,omitempty"`   // when the job's own tasks were done
	Again bool  `msgpack:"again,omitempty"` // it is not the first one
	// Beyond says that a task was given to another host: the job runs anywhere from then on.
	Beyond bool `msgpack:"beyond,omitempty"`
}

// Has reports whether the job's tasks run on a host. A job that is not placed runs on all.
func (p *Placement) Has(host string) bool {
	if p == nil || len(p.Hosts) == 0 {
		return true
	}
	_, ok := slices.BinarySearchFunc(p.Hosts, host, func(h subjects.PlacedHost, name string) int { return strings.Compare(h.Host, name) })
	return ok
}

// Slots is how many slots the job is predicted to use on its hosts.
func (p *Placement) Slots() (n int) {
	for i := range p.Hosts {
		n += int(p.Hosts[i].Slots)
	}
	return n
}

// GoneOf is how many of a placement's hosts have left, were lost, or are drained.
func (s *State) GoneOf(p *Placement) (gone int) {
	if p == nil {
		return 0
	}
	for i := range p.Hosts {
		if h := s.hosts[p.Hosts[i].Host]; h == nil || h.Gone || h.Drain {
			gone++
		}
	}
	return gone
}

// Bound is the placement that keeps a job's tasks to its hosts; nil if none does. A placement is advice
// about speed: a job in danger, one that has gone beyond, and one that has lost half of its hosts run
// anywhere.
func (s *State) Bound(j *Job) *Placement {
	p := j.Placement
	if p == nil || len(p.Hosts) == 0 || p.Beyond || j.Endangered || 2*s.GoneOf(p) >= len(p.Hosts) {
		return nil
	}
	return p
}

// placed folds a word on where a job's tasks run.
func (s *State) placed(seq uint64, now int64, e *subjects.Placed) Verdict {
	j := s.jobs[e.Job]
	last := (*Placement)(nil)
	if j != nil {
		last = j.Placement
	}
	switch {
	case j == nil || j.Phase != Admitted:
		return void("no admitted job has this id")
	case s.Network == nil:
		return void("the pool's network is not described")
	case !j.Shape.Placeable():
		return void("no stage of the job reads another's output, or it is not to be placed")
	case e.Known >= seq || last != nil && e.Known <= last.Known:
		return void("it was chosen from an older state of the log than the placement before, or from a later one than there is")
	case last == nil && !j.Untried() || last != nil && s.GoneOf(last) == 0:
		return void("tasks of the job were given away, and no host of it is gone")
	}
	if v := s.placeable(e); v.Outcome == Void {
		return v
	}
	j.Placement = &Placement{Placed: e, At: now, Again: last != nil}
	if last != nil {
		j.Placement.Began = last.Began
	}
	return accepted
}

// placeable says whether a job can be placed on these hosts.
func (s *State) placeable(e *subjects.Placed) Verdict {
	for i, at := range e.Hosts {
		h := s.hosts[at.Host]
		switch {
		case i > 0 && strings.Compare(e.Hosts[i-1].Host, at.Host) >= 0:
			return void("its hosts are not in order")
		case h == nil || h.Forgotten:
			return void("it names a host that is unknown")
		case at.Slots == 0 || at.Slots > h.Joined.Slots:
			return void("it names slots that a host does not have")
		}
	}
	return accepted
}

// placementForm is the Placement of a job in a snapshot.
type placementForm struct {
	Job string `msgpack:"job"`
	Placement
}

// packPlacements lists those of the jobs that have not ended, by submission.
func (s *State) packPlacements() (forms []placementForm) {
	for j := range s.live.All() {
		if j.Placement != nil {
			forms = append(forms, placementForm{j.ID, *j.Placement})
		}
	}
	return forms
}

func (s *State) loadPlacements(forms []placementForm) error {
	for i := range forms {
		j := s.jobs[forms[i].Job]
		if j == nil || forms[i].Placed == nil {
			return fmt.Errorf("job %q, which was placed, is missing, or its placement is", forms[i].Job)
		}
		j.Placement = &forms[i].Placement
		j.Placement.Job = j.ID
	}
	return nil
}

// noteBegin notes when the first task of a placed job was given away, and whether one went beyond its
// hosts.
func (j *Job) noteBegin(now int64, stage uint32, host string) {
	p := j.Placement
	if p == nil {
		return
	}
	if p.Began == 0 {
		p.Began = now
	}
	p.Beyond = p.Beyond || !p.Has(host) && !j.Shape.Stages[stage].Publish
}

// noteRan notes when the last task of a placed job was done, publishing aside.
func (j *Job) noteRan(now int64) {
	if j.Placement == nil {
		return
	}
	for i := range j.Stages {
		if !j.Shape.Stages[i].Publish && !j.Over(i) {
			return
		}
	}
	j.Placement.Ran = now
}

// judge compares a finished job with its prediction, unless it was placed more than once.
func (s *State) judge(j *Job) {
	p := j.Placement
	if p == nil || p.Again || p.Beyond || p.Began == 0 || p.Ran <= p.Began || p.Seconds <= 0 {
		return
	}
	s.Accuracies.learn(s.Seq, j.Shape.Type, p.Seconds, float64(p.Ran-p.Began)/1e9)
}
