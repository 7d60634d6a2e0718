package simulate

import (
	"context"
	"fmt"
	"strings"

	"lull/sim"
	"lull/subjects/humane"
)

// Refused is what the rejections of a run came to, beside the same run without admission.
type Refused struct {
	Jobs []Rejection
	// Spared is how many other jobs were in time with admission alone.
	Spared int
}

// Rejection is a rejected job in lull sim --output json.
type Rejection struct {
	Policy string `json:"-"`
	Seed   uint64 `json:"seed"`
	Job    string `json:"job"`
	Code   string `json:"code"`
	Why    string `json:"why"`
	InTime bool   `json:"in_time_without_admission"`
}

// compare runs the scenario again without admission, if some job was rejected.
func (r *Run) compare(ctx context.Context, s sim.Scenario, with *sim.Result) error {
	if len(r.reasons) == 0 {
		return nil
	}
	r.at.Store(0)
	r.withoutAdmission.Store(true)
	without, err := sim.Run(ctx, s.WithoutAdmission())
	if err != nil {
		return err
	}
	jobs, spared := sim.Rejections(with, without)
	r.Refused = &Refused{Spared: spared}
	for _, j := range jobs {
		r.Refused.Jobs = append(r.Refused.Jobs, Rejection{r.Policy, r.Seed, j.Name, j.Code, j.Why, j.InTime})
	}
	return nil
}

// addRefused adds what the rejections of one seed came to.
func (r *Row) addRefused(of *Refused) {
	if of == nil {
		return
	}
	r.Rejections = append(r.Rejections, of.Jobs...)
	r.Spared += of.Spared
	for _, j := range of.Jobs {
		if j.InTime {
			r.Wrongly++
		}
	}
}

// Refusals say of each policy which share of the jobs that it rejected would have been in
// time without admission, all seeds together.
func Refusals(rows []Row) (lines []string) {
	for i := range rows {
		r := &rows[i]
		if n := len(r.Rejections); n > 0 {
			lines = append(lines, fmt.Sprintf("%s rejected %s: without admission %d of them (%.0f %%) would have been in time, and %d of the others late.",
				r.Policy, humane.Count(n, "job"), r.Wrongly, 100*float64(r.Wrongly)/float64(n), r.Spared))
		}
	}
	return lines
}

// RejectionHeader and Cells are the table of rejected jobs for people.
var RejectionHeader = []string{"POLICY", "REJECTED JOB", "WITHOUT ADMISSION", "WHY IT WAS REJECTED"}

// Cells are the job's columns under RejectionHeader.
func (j Rejection) Cells() []string {
	fate := "not in time"
	if j.InTime {
		fate = "in time"
	}
	why, _, _ := strings.Cut(j.Why, "\n") // what follows is assumptions and remedies
	return []string{j.Policy, j.Job, fate, why}
}
