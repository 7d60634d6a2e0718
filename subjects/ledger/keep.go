package ledger

import (
	"cmp"
	"slices"
	"time"
)

// These bound the jobs that are over: ended, with their last attempt gone. A job is kept whole, so
// that its outputs can be found, until later ones take keepBytes. Then it is kept as a summary,
// until later summaries take briefBytes. Beyond keepJobs jobs, those that ended longer than KeepFor
// ago are dropped. The last job to be over is always whole.
//
// Rejected jobs ran nothing and have bounds of their own, so that no number of them
// displaces a job that ran.
const (
	// KeepFor is the least time for which a job that ended is kept, within the
	// bounds in bytes.
	KeepFor = 24 * time.Hour

	keepJobs      = 10_000
	keepBytes     = 32 << 20
	briefBytes    = 8 << 20
	keepRejected  = 10_000
	rejectedBytes = 8 << 20

	// KeepMost is the most bytes of memory that jobs that are over take in a ledger.
	KeepMost = keepBytes + briefBytes + rejectedBytes
)

// shelf holds jobs that are over, in the order in which they ended. The first brief of
// them are summaries.
type shelf struct {
	jobs  []*Job
	brief int
	// bytes of the whole jobs, and of the summaries.
	bytes, briefs int
}

// rest puts a job that is over on its shelf.
func (s *State) rest(j *Job) {
	if !j.Phase.Ended() || j.attempts > 0 {
		return
	}
	j.Rest = s.Seq
	s.shelf(j).put(j)
}

func (s *State) shelf(j *Job) *shelf {
	if j.Phase == Rejected {
		return &s.rejects
	}
	return &s.over
}

func (h *shelf) put(j *Job) {
	h.jobs = append(h.jobs, j)
	h.bytes += j.weight()
}

// removeJob removes a whole job from the shelf, because it was retried.
func (h *shelf) removeJob(j *Job) {
	if at := slices.Index(h.jobs, j); at >= h.brief {
		h.jobs = slices.Delete(h.jobs, at, at+1)
		h.bytes -= j.weight()
	}
}

// forget applies the bounds.
func (s *State) forget(now int64) {
	r := &s.rejects
	for len(r.jobs) > 1 && (len(r.jobs) > keepRejected || r.bytes > rejectedBytes) {
		s.drop(r)
	}
	o := &s.over
	for o.brief < len(o.jobs)-1 && o.bytes > keepBytes {
		o.shorten(&s.alike)
	}
	for o.briefs > briefBytes || len(o.jobs) > keepJobs && now-o.jobs[0].Ended >= int64(KeepFor) {
		s.drop(o)
	}
}

// shorten replaces the oldest whole job by a summary.
func (h *shelf) shorten(shared *alike) {
	j := h.jobs[h.brief]
	h.bytes -= j.weight()
	brief := *j.Spec()
	brief.Stages, j.Stages = nil, nil
	shared.describe(j, &brief)
	j.unpace()
	h.addBrief(j)
}

// addBrief counts a job as the newest summary.
func (h *shelf) addBrief(j *Job) {
	h.briefs += j.weight()
	h.brief++
}

// drop forgets the oldest job.
func (s *State) drop(h *shelf) {
	j := h.jobs[0]
	h.jobs[0], h.jobs = nil, h.jobs[1:]
	if h.brief > 0 {
		h.brief--
		h.briefs -= j.weight()
	} else {
		h.bytes -= j.weight()
	}
	delete(s.jobs, j.ID)
	s.order.Remove(j)
}

// reshelve fills the shelves of a restored state. A snapshot of an older version lacks
// Rest; its jobs are ordered by their ends.
func (s *State) reshelve() {
	over := slices.DeleteFunc(slices.Collect(s.order.All()), func(j *Job) bool { return !j.Phase.Ended() || j.attempts > 0 })
	slices.SortStableFunc(over, func(a, b *Job) int {
		return cmp.Or(cmp.Compare(a.Rest, b.Rest), cmp.Compare(a.Ended, b.Ended))
	})
	for _, j := range over {
		h := s.shelf(j)
		if h == &s.over && h.brief == len(h.jobs) && len(j.Stages) == 0 {
			h.jobs = append(h.jobs, j)
			h.addBrief(j)
			continue
		}
		h.put(j)
	}
}

// Bytes of memory that parts of a job take, rounded up.
const (
	jobBytes   = 1 << 9
	stageBytes = 1 << 7
	wordBytes  = 48
)

// weight returns about the bytes of memory that the job takes. It depends on the log alone, so that
// all folds forget alike, and stays the same while the job is on a shelf.
func (j *Job) weight() int {
	n := jobBytes + len(j.doc) + len(j.Client) + len(j.Text) + len(j.Trace) + weighWord(j.By)
	for _, st := range j.Stages {
		n += stageBytes + taskBytes*st.Len()
	}
	return n
}
