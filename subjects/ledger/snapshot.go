package ledger

import (
	"encoding/binary"
	"fmt"
	"slices"

	"lull/subjects"
)

// The form of a snapshot. Tasks are packed into columns of bytes, because a
// job may have a million of them.
type (
	snapshot struct {
		Seq      uint64             `msgpack:"seq"`
		Inbox    uint64             `msgpack:"inbox"`
		Paused   bool               `msgpack:"paused"`
		Hosts    []hostForm         `msgpack:"hosts"` // by id
		Jobs     []jobForm          `msgpack:"jobs"`  // by submission
		Live     []string           `msgpack:"live"`
		Attempts []attemptForm      `msgpack:"attempts"` // host by host, in order
		Types    []string           `msgpack:"types"`
		Models   []*subjects.Fitted `msgpack:"models"`
		Leads    []leadForm         `msgpack:"leads"`
	}
	hostForm struct {
		Name   string          `msgpack:"name"`
		Term   uint64          `msgpack:"term"`
		Joined subjects.Joined `msgpack:"joined"`
		Since  int64           `msgpack:"since"`
		Flags  [4]bool         `msgpack:"flags"` // gone, lost, paused, drain
	}
	jobForm struct {
		Job    *Job        `msgpack:"job"`
		Stages []stageForm `msgpack:"stages"`
	}
	stageForm struct {
		Evicted uint32   `msgpack:"evicted"`
		Failed  uint32   `msgpack:"failed"`
		Tasks   []byte   `msgpack:"tasks"`
		Next    uint32   `msgpack:"next"`
		Again   []uint32 `msgpack:"again"`
		LaterAt []int64  `msgpack:"later_at"`
		Later   []uint32 `msgpack:"later"`
	}
	attemptForm struct {
		Attempt
		Job  string `msgpack:"job"`
		Host uint32 `msgpack:"host"`
	}
	leadForm struct {
		Key  string `msgpack:"key"`
		Term uint64 `msgpack:"term"`
	}
)

// Snapshot returns the state in bytes.
func (s *State) Snapshot() ([]byte, error) {
	form := snapshot{Seq: s.Seq, Inbox: s.Inbox, Paused: s.Paused, Types: s.types}
	for _, h := range s.byID {
		form.Hosts = append(form.Hosts, hostForm{
			h.Name, h.Term, h.Joined, h.Since, [4]bool{h.Gone, h.Lost, h.Paused, h.Drain},
		})
		for _, a := range h.attempts {
			form.Attempts = append(form.Attempts, attemptForm{*a, a.Job.ID, h.id})
		}
	}
	for _, j := range s.order {
		form.Jobs = append(form.Jobs, packJob(j))
	}
	for _, j := range s.live {
		form.Live = append(form.Live, j.ID)
	}
	for _, t := range s.types {
		form.Models = append(form.Models, s.models[t])
	}
	form.Leads = s.packLeads()
	return subjects.Marshal(&form)
}

func (s *State) packLeads() []leadForm {
	var keys []string
	for key := range s.leads {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	leads := make([]leadForm, len(keys))
	for i, key := range keys {
		leads[i] = leadForm{key, s.leads[key]}
	}
	return leads
}

func packJob(j *Job) jobForm {
	form := jobForm{Job: j}
	for _, st := range j.Stages {
		f := stageForm{
			Evicted: st.Evicted, Failed: st.Failed,
			Tasks: packTasks(st.tasks), Next: st.next, Again: st.again,
		}
		for _, d := range st.later {
			f.LaterAt, f.Later = append(f.LaterAt, d.at), append(f.Later, d.task)
		}
		form.Stages = append(form.Stages, f)
	}
	return form
}

// Restore replaces the state by that of a snapshot.
func (s *State) Restore(b []byte) error {
	var form snapshot
	if err := subjects.Unmarshal(b, &form); err != nil {
		return fmt.Errorf("ledger snapshot: %w", err)
	}
	fresh := New()
	if err := fresh.load(&form); err != nil {
		return fmt.Errorf("ledger snapshot: %w", err)
	}
	*s = *fresh
	return nil
}

func (s *State) load(form *snapshot) error {
	s.Seq, s.Inbox, s.Paused = form.Seq, form.Inbox, form.Paused
	for i := range form.Hosts {
		if err := s.loadHost(&form.Hosts[i]); err != nil {
			return err
		}
	}
	for i := range form.Jobs {
		if err := s.loadJob(&form.Jobs[i]); err != nil {
			return err
		}
	}
	s.live = nil
	for _, id := range form.Live {
		j := s.jobs[id]
		if j == nil {
			return fmt.Errorf("live job %s is missing", id)
		}
		s.live = append(s.live, j)
	}
	for i := range form.Attempts {
		if err := s.loadAttempt(&form.Attempts[i]); err != nil {
			return err
		}
	}
	return s.loadRest(form)
}

func (s *State) loadHost(f *hostForm) error {
	if s.hosts[f.Name] != nil || f.Joined.Slots > subjects.MaxSlots {
		return fmt.Errorf("host %q is there twice, or has %d slots", f.Name, f.Joined.Slots)
	}
	h := s.host(f.Name)
	h.Term, h.Joined, h.Since = f.Term, f.Joined, f.Since
	h.Joined.Host = f.Name
	h.Gone, h.Lost, h.Paused, h.Drain = f.Flags[0], f.Flags[1], f.Flags[2], f.Flags[3]
	h.slots = make([]uint64, h.Joined.Slots)
	return nil
}

func (s *State) loadJob(f *jobForm) error {
	j := f.Job
	if j == nil || j.Phase > Rejected || s.jobs[j.ID] != nil || len(f.Stages) != len(j.Spec.Stages) {
		return fmt.Errorf("a job is missing, there twice, or has stages that its specification has not")
	}
	if err := j.Spec.Validate(); len(f.Stages) > 0 && err != nil {
		return fmt.Errorf("job %s: %w", j.ID, err)
	}
	j.Stages = nil
	for i := range f.Stages {
		st, err := f.Stages[i].stage(uint32(len(s.byID)))
		if err != nil {
			return fmt.Errorf("job %s, stage %d: %w", j.ID, i, err)
		}
		j.Stages = append(j.Stages, st)
	}
	s.add(j)
	return nil
}

func (f *stageForm) stage(hosts uint32) (*Stage, error) {
	tasks, err := unpackTasks(f.Tasks, hosts)
	if err != nil {
		return nil, err
	}
	st := &Stage{Evicted: f.Evicted, Failed: f.Failed, tasks: tasks, next: f.Next, again: f.Again}
	beyond := func(task uint32) bool { return int(task) >= len(tasks) }
	if len(f.Later) != len(f.LaterAt) || int(f.Next) > len(tasks) ||
		slices.ContainsFunc(f.Again, beyond) || slices.ContainsFunc(f.Later, beyond) {
		return nil, fmt.Errorf("its queues do not fit its tasks")
	}
	for i := range f.Later {
		st.later = append(st.later, delay{f.LaterAt[i], f.Later[i]})
	}
	st.count()
	return st, nil
}

func (st *Stage) count() {
	for i := range st.tasks {
		switch st.tasks[i].state {
		case Held:
			st.Held++
		case Done:
			st.Done++
		case Dead:
			st.Dead++
		case Waiting:
		}
	}
}

func (s *State) loadAttempt(f *attemptForm) error {
	a := f.Attempt
	a.Job = s.jobs[f.Job]
	if a.Job == nil || int(f.Host) >= len(s.byID) || int(a.Task.Stage) >= len(a.Job.Stages) ||
		int(a.Task.Task) >= a.stage().Len() {
		return fmt.Errorf("attempt %d has no job, task or host", a.ID)
	}
	a.Host = s.byID[f.Host]
	a.Job.attempts++
	a.Host.occupy(&a)
	s.attempts[a.ID] = &a
	return nil
}

func (s *State) loadRest(form *snapshot) error {
	if len(form.Types) != len(form.Models) {
		return fmt.Errorf("%d types have %d models", len(form.Types), len(form.Models))
	}
	s.types = form.Types
	for i, t := range form.Types {
		if form.Models[i] == nil {
			return fmt.Errorf("the model of type %s is missing", t)
		}
		s.models[t] = form.Models[i]
		s.models[t].Type = t
	}
	for _, l := range form.Leads {
		s.leads[l.Key] = l.Term
	}
	return nil
}

// taskBytes is the size of a packed task.
const taskBytes = 8 + 16 + 4 + 2 + 1 + 1

func packTasks(tasks []task) []byte {
	b := make([]byte, 0, len(tasks)*taskBytes)
	for i := range tasks {
		t := &tasks[i]
		b = binary.LittleEndian.AppendUint64(b, t.attempt)
		b = append(b, t.manifest[:]...)
		b = binary.LittleEndian.AppendUint32(b, t.host)
		b = binary.LittleEndian.AppendUint16(b, t.tries)
		b = append(b, t.fails, byte(t.state))
	}
	return b
}

func unpackTasks(b []byte, hosts uint32) ([]task, error) {
	if len(b)%taskBytes != 0 {
		return nil, fmt.Errorf("%d bytes are no whole number of tasks", len(b))
	}
	tasks := make([]task, len(b)/taskBytes)
	for i := range tasks {
		t, b := &tasks[i], b[i*taskBytes:]
		t.attempt = binary.LittleEndian.Uint64(b)
		copy(t.manifest[:], b[8:])
		t.host = binary.LittleEndian.Uint32(b[24:])
		t.tries = binary.LittleEndian.Uint16(b[28:])
		t.fails, t.state = b[30], TaskState(b[31])
		if t.state > Dead || t.attempt != 0 && t.host >= hosts {
			return nil, fmt.Errorf("task %d is in no known state, or on no known host", i)
		}
	}
	return tasks, nil
}
