package progress

import (
	"fmt"
	"strings"
	"time"

	"lull/subjects/humane"
	"lull/subjects/ledger"
)

// Line says in one plain line how the job is getting on: for logs and pipes.
func Line(v View) string {
	switch v.Phase {
	case ledger.Submitted:
		return fmt.Sprintf("%s: submitted, %s", v.Job, v.Note)
	case ledger.Admitted, ledger.Trying:
		return v.Job + ": " + strings.Join(v.running(), "; ")
	}
	return fmt.Sprintf("%s: %s", v.Job, v.Phase)
}

func (v View) running() []string {
	sum := v.Whole()
	counts := fmt.Sprintf("%d of %s done", sum.Done, humane.Count(sum.Tasks, "task"))
	if sum.Dead > 0 {
		counts += fmt.Sprintf(", %d failed", sum.Dead)
	}
	if sum.Cancelled > 0 {
		counts += fmt.Sprintf(", %d cancelled", sum.Cancelled)
	}
	counts += fmt.Sprintf(", %d running", sum.Held)
	if n := v.Totals.Failed; n > 0 {
		counts += fmt.Sprintf(", %s failed", humane.Count(int(n), "attempt"))
	}
	if n := v.Totals.Evicted; n > 0 {
		counts += fmt.Sprintf(", %d evicted", n)
	}
	parts := []string{counts}
	if v.Finish.After(v.Now) {
		parts = append(parts, v.Basis()+" to finish "+humane.When(v.Finish, v.Now))
	}
	if !v.Deadline.IsZero() {
		parts = append(parts, "deadline "+humane.When(v.Deadline, v.Now))
	}
	if v.Note != "" {
		parts = append(parts, v.Note)
	}
	return parts
}

// Outline is Line without times and shares, which change at any moment: two lines with one outline say the
// same.
func Outline(v View) string {
	v.Finish, v.Deadline = time.Time{}, time.Time{}
	return strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' || r == '.' {
			return -1
		}
		return r
	}, v.Note) + fmt.Sprint(v.Phase, v.Whole(), v.Totals.Evicted, v.Totals.Failed)
}

// SameOutlineEvery is the least time between two lines with one outline.
const SameOutlineEvery = 5 * time.Minute

// SamePhaseEvery is the least time between two lines that say the same phase.
const SamePhaseEvery = 10 * time.Second
