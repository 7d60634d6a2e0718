package ledger

import (
	"fmt"
	"slices"

	"lull/subjects"
	"lull/subjects/spec"
)

// The form of snapshots up to version 8: jobs as maps, each with its whole
// specification.
type (
	namedSnapshot struct {
		snapshot `msgpack:",inline"`
		Jobs     []namedJobForm `msgpack:"jobs"` // by submission
	}
	namedJobForm struct {
		Job    *namedJob   `msgpack:"job"`
		Stages []stageForm `msgpack:"stages"`
		Paces  []paceForm  `msgpack:"paces,omitempty"`
	}
	namedJob struct {
		ID         string          `msgpack:"ID"`
		Seq        uint64          `msgpack:"Seq"`
		Inbox      uint64          `msgpack:"Inbox"`
		Spec       *spec.Job       `msgpack:"Spec"`
		Digest     subjects.Digest `msgpack:"Digest"`
		User       string          `msgpack:"User"`
		Client     string          `msgpack:"Client"`
		Trace      string          `msgpack:"Trace"`
		Phase      Phase           `msgpack:"Phase"`
		Submitted  int64           `msgpack:"Submitted"`
		Admitted   int64           `msgpack:"Admitted"`
		Ended      int64           `msgpack:"Ended"`
		Deadline   int64           `msgpack:"Deadline"`
		Finish     int64           `msgpack:"Finish"`
		Slack      float64         `msgpack:"Slack"`
		Endangered bool            `msgpack:"Endangered"`
		Code       string          `msgpack:"Code"`
		Text       string          `msgpack:"Text"`
		Earliest   int64           `msgpack:"Earliest"`
		Totals     subjects.Totals `msgpack:"Totals"`
		Rest       uint64          `msgpack:"Rest"`
	}
	stageForm struct {
		Evicted uint32   `msgpack:"evicted"`
		Failed  uint32   `msgpack:"failed"`
		Tasks   []byte   `msgpack:"tasks"`
		Size    uint32   `msgpack:"size,omitempty"` // in place of Tasks that were never tried
		Next    uint32   `msgpack:"next"`
		Again   []uint32 `msgpack:"again"`
		LaterAt []int64  `msgpack:"later_at"`
		Later   []uint32 `msgpack:"later"`
	}
)

// packNamed is the way from version 8.
func packNamed(body []byte) ([]byte, error) {
	var form namedSnapshot
	if err := subjects.Unmarshal(body, &form); err != nil {
		return nil, err
	}
	s := New()
	for i := range form.Hosts {
		if err := s.loadHost(&form.Hosts[i]); err != nil {
			return nil, err
		}
	}
	for i := range form.Jobs {
		if err := s.loadNamed(&form.Jobs[i]); err != nil {
			return nil, err
		}
	}
	jobs, err := packJobs(&s.order)
	if err != nil {
		return nil, err
	}
	form.snapshot.Jobs = jobs
	return subjects.Marshal(&form.snapshot)
}

func (s *State) loadNamed(f *namedJobForm) error {
	old := f.Job
	if old == nil || old.Spec == nil || old.Phase > Rejected || s.jobs[old.ID] != nil {
		return fmt.Errorf("a job is missing, or there twice")
	}
	j := &Job{
		ID: old.ID, Seq: old.Seq, Inbox: old.Inbox, Digest: old.Digest, Sender: s.interner.sender(old.User, old.Client), Trace: old.Trace,
		Phase: old.Phase, Submitted: old.Submitted, Admitted: old.Admitted, Ended: old.Ended, Deadline: old.Deadline,
		Finish: old.Finish, Slack: old.Slack, Endangered: old.Endangered, Code: old.Code, Text: old.Text,
		Earliest: old.Earliest, Totals: old.Totals, Rest: old.Rest,
	}
	s.interner.describe(j, old.Spec)
	for i := range f.Stages {
		if i >= len(old.Spec.Stages) {
			return fmt.Errorf("job %s has stages that its specification lacks", j.ID)
		}
		st, err := f.Stages[i].stage(uint32(len(s.byID)), old.Spec.Stages[i].Bytes)
		if err != nil {
			return fmt.Errorf("job %s, stage %d: %w", j.ID, i, err)
		}
		j.Stages = append(j.Stages, st)
	}
	for i := range f.Paces {
		if int64(f.Paces[i].Host) >= int64(len(s.byID)) {
			return fmt.Errorf("job %s: it is paced on a host that is missing", j.ID)
		}
		j.paces = append(j.paces, f.Paces[i].pace(s))
	}
	s.add(j)
	return nil
}

func (f *stageForm) stage(hosts uint32, bytes int64) (*Stage, error) {
	if f.Size > 0 {
		return newStage(f.Size, bytes), nil
	}
	if f.untried() {
		return newStage(uint32(len(f.Tasks)/taskBytes), bytes), nil
	}
	tasks, err := unpackTasks(f.Tasks, hosts)
	if err != nil {
		return nil, err
	}
	st := newStage(uint32(len(tasks)), bytes)
	st.Evicted, st.Failed, st.next = f.Evicted, f.Failed, f.Next
	st.taskTable = &taskTable{tasks: tasks, returned: f.Again}
	if len(f.Later) != len(f.LaterAt) {
		return nil, fmt.Errorf("%d tasks wait for %d times", len(f.Later), len(f.LaterAt))
	}
	for i := range f.Later {
		st.delayed = append(st.delayed, delay{f.LaterAt[i], f.Later[i]})
	}
	return st, nil
}

// untried reports whether no task was ever given away. Before Size there was, a
// snapshot had the zeros of each.
func (f *stageForm) untried() bool {
	return f.Next == 0 && len(f.Again)+len(f.Later) == 0 && len(f.Tasks)%taskBytes == 0 &&
		!slices.ContainsFunc(f.Tasks, func(b byte) bool { return b != 0 })
}
