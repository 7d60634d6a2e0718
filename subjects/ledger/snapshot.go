package ledger

import (
	"slices"

	"lull/subjects"
)

// The form of a snapshot. Tasks are packed into columns of bytes, because a
// job may have a million of them.
type (
	snapshot struct {
		Seq      uint64             `msgpack:"seq"`
		Inbox    uint64             `msgpack:"inbox"`
		Born     int64              `msgpack:"inbox_born,omitempty"`
		Paused   bool               `msgpack:"paused"`
		PausedBy *Word              `msgpack:"paused_by,omitempty"`
		Vouched  bool               `msgpack:"vouched,omitempty"`
		Hosts    []hostForm         `msgpack:"hosts"` // by id
		Jobs     []jobForm          `msgpack:"jobs"`  // by submission
		Live     []string           `msgpack:"live"`
		Attempts []attemptForm      `msgpack:"attempts"` // host by host, in order
		Types    []string           `msgpack:"types"`
		Models   []*subjects.Fitted `msgpack:"models"`
		Leads    []leadForm         `msgpack:"leads"`
		Queues   []Queue            `msgpack:"queues,omitempty"` // by name
		// How the tasks of models follow their CPU cap, by model.
		Responsive []string               `msgpack:"responsive,omitempty"`
		Responses  []*subjects.Identified `msgpack:"responses,omitempty"`
		Tolls      []tollForm             `msgpack:"tolls,omitempty"` // by tenant and host
		Clock      [4]int64               `msgpack:"clock,omitempty"` // see clock
	}
	hostForm struct {
		Name   string          `msgpack:"name"`
		Term   uint64          `msgpack:"term"`
		Joined subjects.Joined `msgpack:"joined"`
		Since  int64           `msgpack:"since"`
		Flags  [4]bool         `msgpack:"flags"` // gone, lost, paused, drain
		Harmed int64           `msgpack:"harmed,omitempty"`
		Away   int64           `msgpack:"away,omitempty"`
		HeldBy *Word           `msgpack:"held_by,omitempty"`
	}
	jobForm struct {
		Job    *Job        `msgpack:"job"`
		Stages []stageForm `msgpack:"stages"`
		Paces  []paceForm  `msgpack:"paces,omitempty"`
	}
	paceForm struct {
		Host  uint32          `msgpack:"host"`
		Term  uint64          `msgpack:"term"`
		Rates []subjects.Rate `msgpack:"rates"`
		Share float64         `msgpack:"share"`
		Why   string          `msgpack:"why"`
		For   []string        `msgpack:"for,omitempty"`
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
	attemptForm struct {
		Attempt
		Job  string `msgpack:"job"`
		Host uint32 `msgpack:"host"`
	}
	leadForm struct {
		Key    string `msgpack:"key"`
		Term   uint64 `msgpack:"term"`
		Format uint32 `msgpack:"format,omitempty"`
	}
)

// Snapshot returns the state in bytes.
func (s *State) Snapshot() ([]byte, error) {
	form := snapshot{Seq: s.Seq, Inbox: s.Inbox, Born: s.InboxBorn, Paused: s.Paused, PausedBy: s.PausedBy, Vouched: s.Vouched, Types: s.types}
	for _, h := range s.byID {
		form.Hosts = append(form.Hosts, hostForm{
			h.Name, h.Term, h.Joined, h.Since, [4]bool{h.Gone, h.Lost, h.Paused, h.Drain}, h.harmed, h.Away, h.HeldBy,
		})
		for _, a := range h.attempts {
			form.Attempts = append(form.Attempts, attemptForm{*a, a.Job.ID, h.id})
		}
	}
	for j := range s.order.All() {
		form.Jobs = append(form.Jobs, packJob(j))
	}
	for j := range s.live.All() {
		form.Live = append(form.Live, j.ID)
	}
	for _, t := range s.types {
		form.Models = append(form.Models, s.models[t])
	}
	form.Queues, form.Responsive = s.queues, s.responsive
	for _, model := range s.responsive {
		form.Responses = append(form.Responses, s.responses[model])
	}
	form.Leads, form.Tolls = s.packLeads(), s.packTolls()
	form.Clock = [4]int64{s.clock.now, s.clock.leap, s.clock.odd, int64(s.clock.odds)}
	return subjects.Marshal(&form)
}

func (s *State) packLeads() []leadForm {
	var keys []string
	for key := range s.terms {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	leads := make([]leadForm, len(keys))
	for i, key := range keys {
		leads[i] = leadForm{key, s.terms[key].seq, s.terms[key].format}
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
		if !st.Begun() {
			f.Size = st.size
		}
		form.Stages = append(form.Stages, f)
	}
	for _, p := range j.paces {
		form.Paces = append(form.Paces, paceForm{p.Host.id, p.Term, p.Rates, p.Share, p.Why, p.For})
	}
	return form
}
