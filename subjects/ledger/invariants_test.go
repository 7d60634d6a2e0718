package ledger

import (
	"fmt"
	"slices"

	"lull/subjects/spec"
)

// broken says which invariant of the state does not hold, nil if all do.
func (s *State) broken() error {
	for _, check := range []func() error{s.jobsBroken, s.hostsBroken, s.attemptsBroken, s.orderBroken} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

func (s *State) jobsBroken() error {
	attempts := map[*Job]int32{}
	for _, a := range s.attempts.all() {
		attempts[a.Job]++
	}
	for j := range s.order.All() {
		if j.attempts != attempts[j] {
			return fmt.Errorf("job %s counts %d attempts, there are %d", j.ID, j.attempts, attempts[j])
		}
		if over, _ := j.over(); j.Live() && !over && !slices.ContainsFunc(j.Shape.Stages, func(st spec.Stage) bool {
			return j.Ready(slices.IndexFunc(j.Shape.Stages, func(other spec.Stage) bool { return other.Name == st.Name }))
		}) {
			return fmt.Errorf("job %s is not over, and no stage of it is ready: %v", j.ID, j.StageStates())
		}
		for i, st := range j.Stages {
			if err := s.stageBroken(j, i, st); err != nil {
				return fmt.Errorf("job %s, stage %d: %w", j.ID, i, err)
			}
		}
	}
	return nil
}

func (s *State) stageBroken(j *Job, i int, st *Stage) error {
	recount := Stage{taskTable: st.taskTable}
	recount.count()
	if recount.Held != st.Held || recount.Done != st.Done || recount.Dead != st.Dead {
		return fmt.Errorf("it counts %d held, %d done, %d dead; a recount %d, %d, %d",
			st.Held, st.Done, st.Dead, recount.Held, recount.Done, recount.Dead)
	}
	for k := range uint32(st.Len()) {
		holders := 0
		for _, a := range s.attempts.all() {
			if a.Job == j && int(a.Task.Stage) == i && a.Task.Task == k && a.Holds() {
				holders++
			}
		}
		if held := st.state(k) == Held; held != (holders == 1) || holders > 1 {
			return fmt.Errorf("task %d is in state %d and has %d holders", k, st.state(k), holders)
		}
	}
	if err := s.rivalsBroken(j, i, st); err != nil {
		return err
	}
	return st.queuesBroken()
}

// rivalsBroken checks that each rival is listed once, runs, and that another
// holds its task.
func (s *State) rivalsBroken(j *Job, i int, st *Stage) error {
	rivals := 0
	for _, a := range s.attempts.all() {
		if a.Job != j || int(a.Task.Stage) != i || !a.Rival {
			continue
		}
		rivals++
		t := &st.tasks[a.Task.Task]
		if st.Rival(a.Task.Task) != a || a.State > Running || t.state != Held || t.attempt == a.ID {
			return fmt.Errorf("attempt %d is a rival in state %d of task %d in state %d held by %d",
				a.ID, a.State, a.Task.Task, t.state, t.attempt)
		}
	}
	if rivals != st.Rivals() {
		return fmt.Errorf("%d rivals are listed, there are %d", st.Rivals(), rivals)
	}
	return nil
}

// queuesBroken checks that a walk to the end of time yields each waiting task
// exactly once, and nothing else.
func (st *Stage) queuesBroken() error {
	seen, cursor := map[uint32]bool{}, Cursor{}
	for {
		task, ok := st.Next(1<<62, &cursor)
		if !ok {
			break
		}
		if seen[task] || st.state(task) != Waiting {
			return fmt.Errorf("the walk yields task %d (state %d) again: %v", task, st.state(task), seen[task])
		}
		seen[task] = true
	}
	if len(seen) != st.Waiting() {
		return fmt.Errorf("the walk yields %d of %d waiting tasks", len(seen), st.Waiting())
	}
	if queued := len(st.returned) + len(st.delayed); queued > st.Len() {
		return fmt.Errorf("%d tasks queue, there are %d", queued, st.Len())
	}
	if !slices.IsSortedFunc(st.delayed, func(a, b delay) int { return int(a.at - b.at) }) {
		return fmt.Errorf("backoffs are out of order: %v", st.delayed)
	}
	return nil
}

func (s *State) hostsBroken() error {
	onHosts := 0
	for _, h := range s.byName {
		memory := int64(0)
		for _, a := range h.attempts {
			if s.attempts.find(a.ID) != a || a.Host != h {
				return fmt.Errorf("host %s has attempt %d, which is unknown or another's", h.Name, a.ID)
			}
			memory += a.Memory
			if !h.occupiedBy(a) {
				return fmt.Errorf("attempt %d does not occupy its slots %d+%d of host %s: %v", a.ID, a.Slot, a.Width, h.Name, h.places)
			}
		}
		onHosts += len(h.attempts)
		if memory != h.memory {
			return fmt.Errorf("host %s counts %d bytes, its attempts %d", h.Name, h.memory, memory)
		}
		for i, id := range h.places {
			a := s.attempts.find(id)
			if id != 0 && (a == nil || a.Host != h || uint32(i) < a.Slot || uint32(i) >= a.Slot+a.Width) {
				return fmt.Errorf("slot %d of host %s holds attempt %d, which is unknown or not there", i, h.Name, id)
			}
		}
		if err := h.partsBroken(); err != nil {
			return err
		}
	}
	for _, h := range s.byName {
		if h.Busy() > int(h.Joined.Slots) || h.Waiting() > int(h.Joined.Ahead) {
			return fmt.Errorf("host %s: %d of %d slots are busy, %d wait in %d places ahead",
				h.Name, h.Busy(), h.Joined.Slots, h.Waiting(), h.Joined.Ahead)
		}
	}
	if onHosts != s.attempts.n {
		return fmt.Errorf("%d attempts are known, %d are on hosts", s.attempts.n, onHosts)
	}
	return nil
}

// occupiedBy reports whether the attempt has its slots, as far as the host
// still has so many.
func (h *Host) occupiedBy(a *Attempt) bool {
	for i := a.Slot; i < a.Slot+a.Width && int(i) < len(h.places); i++ {
		if h.places[i] != a.ID && (i != a.lastSlot() || a.Part == 0) {
			return false
		}
	}
	return true
}

func (s *State) attemptsBroken() error {
	for id, a := range s.attempts.all() {
		if a.ID != id || s.jobs[a.Job.ID] != a.Job || s.hosts[a.Host.Name] != a.Host {
			return fmt.Errorf("attempt %d belongs to a job or host that is not known", id)
		}
	}
	return nil
}

func (s *State) orderBroken() error {
	bySeq := func(a, b *Job) int { return int(a.Seq) - int(b.Seq) }
	if !slices.IsSortedFunc(slices.Collect(s.order.All()), bySeq) || !slices.IsSortedFunc(slices.Collect(s.live.All()), bySeq) {
		return fmt.Errorf("jobs are not in the order of their submission")
	}
	if s.order.Len() != len(s.jobs) {
		return fmt.Errorf("%d jobs are in order, %d are known", s.order.Len(), len(s.jobs))
	}
	live := 0
	for j := range s.order.All() {
		if !j.Phase.Ended() {
			live++
		}
	}
	if live != s.live.Len() {
		return fmt.Errorf("%d jobs have not ended, %d are listed", live, s.live.Len())
	}
	return nil
}

// partsBroken checks that what attempts take of each slot is counted, and is at most all of it.
func (h *Host) partsBroken() error {
	taken := make([]spec.Cores, len(h.places))
	covered := uint32(0)
	for _, a := range h.attempts {
		covered += h.PlacesOf(a)
		for i := a.Slot; i < a.Slot+a.Width; i++ {
			if int(i) >= len(h.places) {
				covered--
				continue
			}
			if taken[i] += spec.Core; i == a.lastSlot() && a.Part > 0 {
				taken[i] += spec.Cores(a.Part) - spec.Core
			}
		}
	}
	for i, sum := range taken {
		if sum > spec.Core || sum != h.UsedCores(uint32(i)) {
			return fmt.Errorf("slot %d of host %s counts %d thousandths, its attempts %d", i, h.Name, h.UsedCores(uint32(i)), sum)
		}
	}
	if int(covered) != h.taken() {
		return fmt.Errorf("host %s has %d places taken, its attempts cover %d", h.Name, h.taken(), covered)
	}
	return nil
}
