package sim

import (
	"lull/subjects"
	"lull/subjects/ledger"
)

// Rejection is a job that admission rejected, with its outcome in the same scenario without admission.
type Rejection struct {
	Name, Code, Why string
	// InTime says that without admission the job ended by its deadline.
	InTime bool
}

// WithoutAdmission is the scenario with every job admitted that some host can run.
func (s Scenario) WithoutAdmission() Scenario {
	s.Admission.Mode = subjects.ModeAll
	return s
}

// Rejections compares a run with the run of the same scenario WithoutAdmission. Spared is the
// number of jobs in time with admission alone: what the rejections were for.
func Rejections(with, without *Result) (list []Rejection, spared int) {
	for i := range with.Jobs {
		j, free := &with.Jobs[i], without.inTime(i)
		switch {
		case j.State == ledger.Rejected.String():
			list = append(list, Rejection{j.Name, j.Code, j.Why, free})
		case with.inTime(i) && !free:
			spared++
		}
	}
	return list, spared
}

// inTime reports whether a job finished, and by its deadline if it has one.
func (r *Result) inTime(i int) bool {
	j := &r.Jobs[i]
	return j.State == ledger.Finished.String() && j.Late(r.End) == 0
}
