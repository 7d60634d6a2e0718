package cgroup

import (
	"fmt"
	"strconv"
)

const (
	// capPeriod is the interval at which the kernel settles a cap's account, in microseconds. It
	// bounds how long a task gets no CPU. A controller that samples every 200 ms sees ten periods.
	// With the kernel's 100 ms it would see two, and would take the random start of a period for a
	// change of speed.
	capPeriod = 20_000
	// leastQuota is the smallest that the kernel accepts, and longestPeriod the
	// longest: a cap below leastQuota/capPeriod = 0.05 cores has a longer period.
	leastQuota    = 1_000
	longestPeriod = 1_000_000
)

// SetCap bounds the CPU that the slot's tasks use together, in cores. A cap of 0 or less, or of all
// the host's cores, lifts it.
//
// A cap is for pace, not for protection. Throttled tasks keep locks and caches: with a quota the
// primary's tail was ×2.2–4.4 of its tail alone, with the idle class alone ×1.3–1.9.
func (s *Slot) SetCap(cores float64) error {
	m := s.tree.caps.Cap
	quota, period := bandwidth(cores, s.tree.caps.CPUs)
	switch m.Version {
	case 1:
		return s.tree.Settings.set(s.in(m), []string{"cpu.cfs_quota_us", "cpu.cfs_period_us"}, func() error {
			return setCapV1(s.in(m), quota, period)
		})
	case 2:
		return s.tree.Settings.set(s.in(m), []string{"cpu.max"}, func() error {
			return s.in(m).write("cpu.max", orMax(quota, "max")+" "+strconv.FormatInt(period, 10))
		})
	}
	return fmt.Errorf("cap the CPU: %w", ErrAbsent)
}

// bandwidth turns cores into microseconds of CPU time a period; a quota of 0
// means no bound.
func bandwidth(cores float64, online int) (quota, period int64) {
	if !(cores > 0) || cores >= float64(online) {
		return 0, capPeriod
	}
	period = min(max(capPeriod, int64(leastQuota/cores)), longestPeriod)
	return max(leastQuota, int64(cores*float64(period))), period
}

// setCapV1 leaves the period alone where it is right: writing it, too, makes
// the kernel begin a new one.
func setCapV1(d dir, quota, period int64) error {
	now, err := d.number("cpu.cfs_period_us")
	if err == nil && int64(now) != period {
		err = d.write("cpu.cfs_period_us", strconv.FormatInt(period, 10))
	}
	if err != nil {
		return err
	}
	return d.write("cpu.cfs_quota_us", orMax(quota, "-1"))
}

// Throttled returns for how many seconds the cap kept the slot's tasks from
// running, summed over cores, since the slot was made.
func (s *Slot) Throttled() (seconds float64, err error) {
	var units uint64
	switch m := s.tree.caps.Cap; m.Version {
	case 1:
		units, err = s.in(m).key("cpu.stat", "throttled_time")
		return float64(units) / 1e9, err
	case 2:
		units, err = s.in(m).key("cpu.stat", "throttled_usec")
		return float64(units) / 1e6, err
	}
	return 0, fmt.Errorf("time throttled: %w", ErrAbsent)
}
