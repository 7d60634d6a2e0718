package ledger

import (
	"fmt"

	"lull/subjects"
)

// steered narrows where a job's tasks run.
func (s *State) steered(now int64, e *subjects.Steered) Verdict {
	j := s.jobs[e.Job]
	if j == nil || !j.Live() {
		return void("no task of the job may run")
	}
	st := &Steering{At: now, Need: e.Need}
	for _, c := range e.Classes {
		if c.Picked {
			st.Classes, st.Rooms = append(st.Classes, c.Name), append(st.Rooms, c.Headroom)
		}
	}
	j.Steering = st
	return accepted
}

// steeringForm is the Steering of a job in a snapshot.
type steeringForm struct {
	Job string `msgpack:"job"`
	Steering
}

// packSteering lists the jobs that were steered, by submission.
func (s *State) packSteering() (forms []steeringForm) {
	for j := range s.live.All() {
		if j.Steering != nil {
			forms = append(forms, steeringForm{j.ID, *j.Steering})
		}
	}
	return forms
}

func (s *State) loadSteering(forms []steeringForm) error {
	for i := range forms {
		j := s.jobs[forms[i].Job]
		if j == nil || len(forms[i].Classes) != len(forms[i].Rooms) {
			return fmt.Errorf("job %q, which was steered, is missing, or its classes have no rooms", forms[i].Job)
		}
		j.Steering = &forms[i].Steering
	}
	return nil
}
