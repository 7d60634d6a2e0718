package speeds

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"time"

	"lull/subjects"
)

const interval = time.Second

// Sender publishes telemetry. telemetry.Sender implements it.
type Sender interface {
	Send(subjects.Telemetry) error
}

// Reporter measures and publishes the rates of a host's tasks. All fields are required.
type Reporter struct {
	Host string
	// Running returns the meters of the attempts that have processes.
	Running func() []*Meter
	// Storing returns how far commits have come.
	Storing func() []Storing
	// Cap returns the cores that a slot's tasks may use, and whether that is fewer than all.
	Cap func(slot int) (cores float64, capped bool)
	// Reference returns an attempt's reference rate, 0 if it is not paced, and whether it falls
	// short of it.
	Reference func(attempt uint64) (rate float64, short bool)
	Sender    Sender
	Logger    *slog.Logger

	reported bool // the last sample had tasks
}

// Run measures and publishes once a second until ctx ends.
func (p *Reporter) Run(ctx context.Context) {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			running := p.Running()
			for _, m := range running {
				m.Measure()
			}
			p.publish(running)
		}
	}
}

// publish sends the rates that are known. People look at them, so they are neither repeated nor
// kept.
func (p *Reporter) publish(running []*Meter) {
	speeds := &subjects.Speeds{Host: p.Host}
	for _, m := range running {
		if rate, ok := m.Rate(time.Now()); ok || m.Stopped() != 0 {
			speeds.Tasks = append(speeds.Tasks, p.speed(m, rate))
		}
	}
	speeds.Tasks = add(speeds.Tasks, p.Storing())
	before := p.reported
	p.reported = len(speeds.Tasks) > 0
	if !p.reported && !before {
		return
	}
	slices.SortFunc(speeds.Tasks, func(s, t subjects.Speed) int { return cmp.Compare(s.Attempt, t.Attempt) })
	if err := p.Sender.Send(speeds); err != nil {
		p.Logger.Debug("how fast tasks read was not sent", "error", err)
	}
}

func (p *Reporter) speed(m *Meter, rate float64) subjects.Speed {
	s := subjects.Speed{Attempt: m.of.Attempt, Rate: rate, Stopped: m.Stopped()}
	if cores, capped := p.Cap(m.of.Slot.N); capped {
		s.Cap = cores
	}
	s.Reference, s.Short = p.Reference(m.of.Attempt)
	return s
}
