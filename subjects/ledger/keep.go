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

// endedJobs are jobs that are over, in the order in which they ended. The first of them are summaries.
type endedJobs struct {
	jobs      []*Job
	summaries int // number of summaries at the beginning of jobs
	// memory of the whole jobs, and of the summaries, in bytes
	wholeBytes, summaryBytes int
}

// retain adds a job that is over to the list of ended jobs that it belongs to.
func (s *State) retain(j *Job) {
	if !j.Phase.Ended() || j.attempts > 0 {
		return
	}
	j.Rest = s.Seq
	s.endedListOf(j).put(j)
}

func (s *State) endedListOf(j *Job) *endedJobs {
	if j.Phase == Rejected {
		return &s.rejects
	}
	return &s.ended
}

func (h *endedJobs) put(j *Job) {
	h.jobs = append(h.jobs, j)
	h.wholeBytes += j.weight()
}

// removeJob removes a whole job from the list, because it was retried.
func (h *endedJobs) removeJob(j *Job) {
	if at := slices.Index(h.jobs, j); at >= h.summaries {
		h.jobs = slices.Delete(h.jobs, at, at+1)
		h.wholeBytes -= j.weight()
	}
}

// forget applies the bounds.
func (s *State) forget(now int64) {
	r := &s.rejects
	for len(r.jobs) > 1 && (len(r.jobs) > keepRejected || r.wholeBytes > rejectedBytes) {
		s.drop(r)
	}
	o := &s.ended
	for o.summaries < len(o.jobs)-1 && o.wholeBytes > keepBytes {
		o.summarizeOldest(&s.interner)
	}
	for o.summaryBytes > briefBytes || len(o.jobs) > keepJobs && now-o.jobs[0].Ended >= int64(KeepFor) {
		s.drop(o)
	}
}

// summarizeOldest replaces the oldest whole job by a summary.
func (h *endedJobs) summarizeOldest(shared *interner) {
	j := h.jobs[h.summaries]
	h.wholeBytes -= j.weight()
	brief := *j.Spec()
	brief.Stages, j.Stages = nil, nil
	shared.describe(j, &brief)
	j.unpace()
	h.addSummary(j)
}

// addSummary counts a job as the newest summary.
func (h *endedJobs) addSummary(j *Job) {
	h.summaryBytes += j.weight()
	h.summaries++
}

// drop forgets the oldest job.
func (s *State) drop(h *endedJobs) {
	j := h.jobs[0]
	h.jobs[0], h.jobs = nil, h.jobs[1:]
	if h.summaries > 0 {
		h.summaries--
		h.summaryBytes -= j.weight()
	} else {
		h.wholeBytes -= j.weight()
	}
	delete(s.jobs, j.ID)
	s.order.Remove(j)
}

// restoreEnded fills the lists of ended jobs of a restored state. A snapshot of an older version lacks
// Rest; its jobs are ordered by their ends.
func (s *State) restoreEnded() {
	over := slices.DeleteFunc(slices.Collect(s.order.All()), func(j *Job) bool { return !j.Phase.Ended() || j.attempts > 0 })
	slices.SortStableFunc(over, func(a, b *Job) int {
		return cmp.Or(cmp.Compare(a.Rest, b.Rest), cmp.Compare(a.Ended, b.Ended))
	})
	for _, j := range over {
		h := s.endedListOf(j)
		if h == &s.ended && h.summaries == len(h.jobs) && len(j.Stages) == 0 {
			h.jobs = append(h.jobs, j)
			h.addSummary(j)
			continue
		}
		h.put(j)
	}
}

// Bytes of memory that parts of a job take, rounded up.
const (
	jobBytes         = 1 << 9
	stageBytes       = 1 << 7
	attributionBytes = 48
)

// weight returns about the bytes of memory that the job takes. It depends on the log alone, so that
// all folds forget alike, and stays the same while the job is in such a list.
func (j *Job) weight() int {
	n := jobBytes + len(j.doc) + len(j.Client) + len(j.Text) + len(j.Trace) + attributionSize(j.By)
	for _, st := range j.Stages {
		n += stageBytes + taskBytes*st.Len()
	}
	return n
}
