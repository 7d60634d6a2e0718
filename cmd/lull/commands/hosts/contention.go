package hosts

import (
	"fmt"
	"math"
	"strconv"

	"lull/subjects"
)

// contention is the part of a host's row about how many of its primary's threads run and wait, and
// about the bounds of tasks. Null is what is not measured, or not in force.
type contention struct {
	Running  *float64 `json:"primary_running"`
	Runnable *float64 `json:"primary_runnable"`
	Blocked  *float64 `json:"primary_blocked"`
	Delay    *float64 `json:"delay"`
	Budget   *float64 `json:"delay_budget"`
	Sensor   *string  `json:"sensor"`
	Cap      *float64 `json:"cap_cores"`
	Guarded  *string  `json:"guarded"`
}

func contentionOf(u *subjects.Usage) (c contention) {
	if u.Sensor != "" {
		c.Running, c.Runnable, c.Blocked = &u.Running, &u.Runnable, &u.Blocked
		c.Delay, c.Sensor = &u.Delay, &u.Sensor
	}
	if u.Budget > 0 {
		c.Budget = &u.Budget
	}
	if u.Cap > 0 || u.Guarded != "" {
		c.Cap, c.Guarded = &u.Cap, &u.Guarded
	}
	return c
}

// delay is what there is of what may be, such as 0.4/5%.
func (c contention) delay() string {
	switch {
	case c.Delay == nil:
		return "-"
	case c.Budget == nil:
		return perCPU(*c.Delay)
	}
	return fmt.Sprintf("%s/%s", digits(*c.Delay), perCPU(*c.Budget))
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
