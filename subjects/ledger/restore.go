package ledger

import (
	"fmt"

	"lull/subjects"
)

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
	s.Seq, s.Inbox, s.InboxCreated = form.Seq, form.Inbox, form.Born
	s.Paused, s.PausedBy, s.Vouched = form.Paused, form.PausedBy, form.Vouched
	s.clock = clock{form.Clock[0], form.Clock[1], form.Clock[2], int(form.Clock[3])}
	for i := range form.Hosts {
		if err := s.loadHost(&form.Hosts[i]); err != nil {
			return err
		}
	}
	if err := s.loadJobs(&form.Jobs); err != nil {
		return err
	}
	for i := range form.Attempts {
		if err := s.loadAttempt(&form.Attempts[i]); err != nil {
			return err
		}
	}
	for _, f := range form.Lost {
		j := s.jobs[f.Job]
		if j == nil || !(f.Lost >= 0) {
			return fmt.Errorf("job %q, which lost %g CPU seconds, is missing", f.Job, f.Lost)
		}
		j.Lost = f.Lost
	}
	if err := loadAwaiting(s, form.Awaiting); err != nil {
		return err
	}
	s.restoreEnded()
	return s.loadRest(form)
}

func (s *State) loadHost(f *hostForm) error {
	if s.hosts[f.Name] != nil || max(f.Joined.Slots, f.Joined.Ahead) > subjects.MaxSlots {
		return fmt.Errorf("host %q is there twice, or has %d slots and %d places ahead", f.Name, f.Joined.Slots, f.Joined.Ahead)
	}
	h := s.host(f.Name)
	h.Term, h.Joined, h.Since = f.Term, f.Joined, f.Since
	h.Joined.Host = f.Name
	s.setGone(h, f.Flags[0])
	h.Lost, h.Paused, h.Drain = f.Flags[1], f.Flags[2], f.Flags[3]
	h.harmed, h.Away, h.Heard, h.HeldBy, h.Forgotten = f.Harmed, f.Away, f.Heard, f.HeldBy, f.Forgotten
	h.resize()
	return nil
}

func (f *paceForm) pace(s *State) *Pace {
	return &Pace{Host: s.byID[f.Host], Term: f.Term, Rates: f.Rates, Share: f.Share, Why: f.Why, For: f.For}
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
		case Dropped:
			st.Dead++
			st.Dropped++
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
	if a.Rival && (a.State > Running || !a.stage().contestable(a.Task.Task) || a.Holds()) {
		return fmt.Errorf("attempt %d is no rival of its task's holder", a.ID)
	}
	a.Job.attempts++
	a.Host.occupy(&a)
	s.attempts.add(&a)
	if a.Rival {
		a.stage().compete(&a)
	}
	return nil
}

func (s *State) loadRest(form *snapshot) error {
	if len(form.Types) != len(form.Models) {
		return fmt.Errorf("%d types have %d models", len(form.Types), len(form.Models))
	}
	for i, t := range form.Types {
		if form.Models[i] == nil {
			return fmt.Errorf("the model of type %s is missing", t)
		}
		form.Models[i].Type = t
	}
	s.models.load(form.Types, form.Models, form.ModelsAt)
	s.findFetchRate()
	for _, l := range form.Leads {
		s.terms[l.Key] = term{l.Term, l.Format}
	}
	if err := s.harm.Load(form.Harm); err != nil {
		return err
	}
	if err := s.Tenants.Load(form.Tenants); err != nil {
		return err
	}
	var err error
	if s.Owners, err = NewOwners(form.Owners); err != nil {
		return err
	}
	if err := s.loadSteering(form.Steering); err != nil {
		return err
	}
	s.Network = form.Network
	if err := s.loadPlacements(form.Placements); err != nil {
		return err
	}
	if err := form.Accuracies.check(); err != nil {
		return err
	}
	s.Accuracies = form.Accuracies
	return s.loadShares(form)
}

func (s *State) loadShares(form *snapshot) error {
	for i, q := range form.Queues {
		if i > 0 && q.Name <= form.Queues[i-1].Name || !(q.Weight > 0) {
			return fmt.Errorf("queue %q is not in its place, or has a weight of %g", q.Name, q.Weight)
		}
	}
	if len(form.Responsive) != len(form.Responses) {
		return fmt.Errorf("%d models have %d responses to their CPU cap", len(form.Responsive), len(form.Responses))
	}
	s.queues = form.Queues
	for i, model := range form.Responsive {
		if form.Responses[i] == nil {
			return fmt.Errorf("how model %s responds to its CPU cap is missing", model)
		}
	}
	s.responses.load(form.Responsive, form.Responses, form.RespondAt)
	return nil
}
