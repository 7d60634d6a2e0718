package queues

import (
	"cmp"
	"slices"
	"time"

	"lull/subjects"
	"lull/subjects/ledger"
)

// queueRow is a queue in queues --output json.
type queueRow struct {
	Queue   string       `json:"queue"`
	Weight  float64      `json:"weight"`
	Said    bool         `json:"said"` // by an operator
	SaidBy  *ledger.Word `json:"said_by,omitempty"`
	AtOnce  uint32       `json:"jobs_at_once"`
	Jobs    int          `json:"jobs"`
	Running int          `json:"running"`
	Share   float64      `json:"share"`
	Slots   float64      `json:"slots"`
	Pace    *float64     `json:"pace"`
	Now     *float64     `json:"now"`
	Reads   *float64     `json:"reads"`

	width int // slots that it holds
}

// queueRows are the queues with jobs or a weight, by name, with what their tasks
// read according to their hosts.
func queueRows(s *ledger.State, speeds map[uint64]subjects.Speed, now time.Time) []queueRow {
	rows := map[string]*queueRow{}
	row := func(name string) *queueRow {
		if rows[name] == nil {
			q, said := s.Queue(name)
			rows[name] = &queueRow{Queue: name, Weight: q.Weight, Said: said, SaidBy: q.By, AtOnce: q.Jobs}
		}
		return rows[name]
	}
	for q := range s.Queues() {
		row(q.Name)
	}
	for j := range s.LiveJobs().All() {
		row(j.Shape.Share()).count(j, now)
	}
	for _, h := range s.Hosts() {
		for _, at := range h.Attempts() {
			if at.Holds() && at.Job.Live() {
				row(at.Job.Shape.Share()).hold(at, speeds)
			}
		}
	}
	return divided(rows)
}

// count adds a live job.
func (r *queueRow) count(j *ledger.Job, now time.Time) {
	r.Jobs++
	read := 0.0
	for i, st := range j.Stages {
		read += float64(st.Done) * float64(j.Stages[i].Bytes)
	}
	if seconds := now.Sub(time.Unix(0, j.Admitted)).Seconds(); j.Admitted != 0 && read > 0 && seconds > 0 {
		add(&r.Reads, read/seconds)
	}
}

// hold adds a task that runs.
func (r *queueRow) hold(at *ledger.Attempt, speeds map[uint64]subjects.Speed) {
	r.Running++
	r.width += int(at.Width)
	if rate := at.Rate(); rate > 0 {
		add(&r.Pace, rate)
	}
	if speed, heard := speeds[at.ID]; heard {
		add(&r.Now, speed.Rate)
	}
}

func add(to **float64, x float64) {
	if *to == nil {
		*to = new(float64)
	}
	**to += x
}

// divided fills in the shares, and sorts.
func divided(rows map[string]*queueRow) (list []queueRow) {
	weights, slots := 0.0, 0
	for _, r := range rows {
		slots += r.width
		if r.Jobs > 0 {
			weights += r.Weight
		}
	}
	for _, r := range rows {
		if r.Jobs > 0 {
			r.Share = r.Weight / weights
		}
		if slots > 0 {
			r.Slots = float64(r.width) / float64(slots)
		}
		list = append(list, *r)
	}
	slices.SortFunc(list, func(a, b queueRow) int { return cmp.Compare(a.Queue, b.Queue) })
	return list
}
