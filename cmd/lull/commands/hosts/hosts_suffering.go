package hosts

import (
	"fmt"
	"math"
	"strconv"

	"lull/subjects"
)

// suffering is the part of a host's row about what its primary suffers now, and about the bounds of
// tasks. Null is what is not measured, or not in force.
type suffering struct {
	Running  *float64 `json:"primary_running"`
	Runnable *float64 `json:"primary_runnable"`
	Blocked  *float64 `json:"primary_blocked"`
	Delay    *float64 `json:"delay"`
	Budget   *float64 `json:"delay_budget"`
	Sensor   *string  `json:"sensor"`
	Cap      *float64 `json:"cap_cores"`
	Guarded  *string  `json:"guarded"`
}

func sufferingOf(u *subjects.Usage) (s suffering) {
	if u.Waits != "" {
		s.Running, s.Runnable, s.Blocked = &u.Running, &u.Runnable, &u.Blocked
		s.Delay, s.Sensor = &u.Delay, &u.Waits
	}
	if u.Budget > 0 {
		s.Budget = &u.Budget
	}
	if u.Cap > 0 || u.Guarded != "" {
		s.Cap, s.Guarded = &u.Cap, &u.Guarded
	}
	return s
}

// delay is what there is of what may be, such as 0.4/5%.
func (s suffering) delay() string {
	switch {
	case s.Delay == nil:
		return "-"
	case s.Budget == nil:
		return perCPU(*s.Delay)
	}
	return fmt.Sprintf("%s/%s", digits(*s.Delay), perCPU(*s.Budget))
}

// perCPU writes seconds per CPU second in percent, in as many digits as they
// deserve: 0.04%, 1.3%, 25%.
func perCPU(share float64) string { return digits(share) + "%" }

func digits(share float64) string {
	p := 100 * share
	switch {
	case p <= 0:
		return "0"
	case p < 0.005:
		return "0.00"
	case p < 9.95:
		return strconv.FormatFloat(math.Round(100*p)/100, 'g', 2, 64)
	}
	return fmt.Sprintf("%.0f", p)
}
