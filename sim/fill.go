package sim

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"lull/subjects"
)

// fill checks a scenario and fills in its defaults. What belongs to the caller
// is copied before it is changed.
func (s *Scenario) fill() error {
	if s.Admission.Pool == "" {
		s.Admission.Pool = subjects.DefaultPool
	}
	if s.Coarse {
		s.fillCoarse()
	}
	if s.Telemetry == 0 {
		s.Telemetry = time.Second
	}
	if s.Overhead == 0 {
		s.Overhead = time.Millisecond
	}
	if s.Replicas == 0 {
		s.Replicas = 1
	}
	s.Hosts, s.Jobs = slices.Clone(s.Hosts), slices.Clone(s.Jobs)
	var errs []error
	for i := range s.Hosts {
		errs = append(errs, s.Hosts[i].fill())
	}
	for _, t := range s.Types {
		errs = append(errs, t.check())
	}
	for i, j := range s.Jobs {
		if i > 0 && j.At < s.Jobs[i-1].At {
			errs = append(errs, fmt.Errorf("job %d (%s) is submitted before job %d: sort the jobs by At", i, j.Spec.Name, i-1))
		}
	}
	if min(s.Telemetry, s.Overhead, s.Until, s.Classify) < 0 || min(s.Replicas, s.Classifiers, s.Placers) < 0 {
		errs = append(errs, errors.New("scenario: Telemetry, Overhead, Until, Classify, Replicas, Classifiers and Placers must not be negative"))
	}
	if s.Topology != nil {
		errs = append(errs, s.Topology.Check())
	}
	errs = append(errs, s.checkTelemetry())
	return errors.Join(errs...)
}

// fillCoarse fills in the times of a coarse scenario.
func (s *Scenario) fillCoarse() {
	for _, d := range []struct {
		field *time.Duration
		value time.Duration
	}{
		{&s.Telemetry, time.Hour}, {&s.Slotter.Stale, 2 * time.Hour}, {&s.Slotter.Silence, 4 * time.Hour}, {&s.Admission.Stale, 2 * time.Hour},
	} {
		if *d.field == 0 {
			*d.field = d.value
		}
	}
}

// checkTelemetry refuses an interval of telemetry so long that hosts would count as lost.
func (s *Scenario) checkTelemetry() error {
	stale := s.Slotter.Stale
	if stale == 0 {
		stale = 10 * time.Second // slotter.Config
	}
	if s.Telemetry < stale {
		return nil
	}
	return fmt.Errorf("telemetry every %v is not below Slotter.Stale, %v: hosts would get no tasks", s.Telemetry, stale)
}

const memoryPerSlot = 2 << 30

func (h *Host) fill() error {
	if h.Slots == 0 {
		h.Slots = h.Cores
	}
	if h.Memory == 0 {
		h.Memory = memoryPerSlot * int64(h.Slots)
	}
	if h.Load == nil {
		h.Load = Steady(0)
	}
	if h.Cores == 0 {
		return fmt.Errorf("host %s has no cores: give Cores", h.Name)
	}
	return subjects.CheckToken("host", h.Name)
}

func (t *Truth) check() error {
	if len(t.Points) == 0 {
		return fmt.Errorf("type %s has no points: give at least one", t.Type)
	}
	for i, p := range t.Points {
		if !(p.Residual > 0 && p.Residual <= 1 && p.Seconds > 0 && !math.IsInf(p.Seconds, 0)) {
			return fmt.Errorf("type %s: %v s at residual %v cannot be: residuals are in (0, 1], times positive", t.Type, p.Seconds, p.Residual)
		}
		if i > 0 && p.Residual <= t.Points[i-1].Residual {
			return fmt.Errorf("type %s: point %d is not at a higher residual than the one before it", t.Type, i)
		}
	}
	if !(min(t.Noise, t.Size, t.Read, t.Gives) >= 0) {
		return fmt.Errorf("type %s: Noise, Size, Gives and Read must not be negative", t.Type)
	}
	return nil
}
