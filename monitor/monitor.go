package monitor

import (
	"context"
	"time"

	"lull/subjects"
)

// Monitor samples one host.
type Monitor struct {
	config   Config
	cpu      *source   // no sample goes out before it knows a rate
	sources  []*source // cpu among them
	answers  chan answer
	metrics  *metrics
	counters *Counters
	observed time.Time // end of the time that Config.Usual covers
	steps    steps
}

// New returns a monitor of the host that has its files under config.Root. It
// fails if there is no proc or sys, or if the configuration is invalid.
func New(config Config) (*Monitor, error) {
	if err := config.complete(); err != nil {
		return nil, err
	}
	files, err := openFiles(config.Root)
	if err != nil {
		return nil, err
	}
	cpu := newCPU(files, &config, config.Counters)
	sources := []*source{
		newSource("cpu", cpu.read),
		newSource("memory", files.memory),
		newSource("disk", newDisk(files).read),
		newSource("net", newNet(files).read),
		newSource("pressure", files.pressure),
		newSource("space", space(config.DiskPath)),
	}
	if config.Waits != nil {
		sources = append(sources, newSource("waits", newWaitsReader(config.Waits, config.Counters).read))
	}
	m, err := assemble(config, sources)
	m.steps.latest = cpu.latest.Load
	return m, err
}

// assemble makes a monitor of any sources; the first one is the CPU's.
func assemble(config Config, sources []*source) (*Monitor, error) {
	metrics, err := newMetrics(config.Registerer, config.Host)
	return &Monitor{
		config: config, cpu: sources[0], sources: sources,
		answers: make(chan answer, len(sources)), metrics: metrics, counters: config.Counters,
	}, err
}

// early divides the first period: an additional sample goes out after Config.Every / early, because
// work waits for the first sample. The CPU's counters tick in 10 ms, so two readings a fifth of a second
// apart are good enough to begin with.
const early = 5

// Run samples until ctx ends. It may be called once.
func (m *Monitor) Run(ctx context.Context) error {
	start := time.Now()
	for _, s := range m.sources {
		s.at = start
		go s.serve(m.answers)
		defer s.stop()
	}
	m.request(start) // these readings are the base of the first rates
	ticker := time.NewTicker(m.config.Every)
	defer ticker.Stop()
	first := time.After(m.config.Every / early)
	for {
		select {
		case <-ctx.Done():
			m.keepUsual()
			m.endStep()
			return nil
		case a := <-m.answers:
			m.settle(a)
		case <-first:
			m.sample(ctx)
		case <-ticker.C:
			m.sample(ctx)
		}
	}
}

func (m *Monitor) sample(ctx context.Context) {
	now := time.Now()
	m.await(ctx, m.request(now), now)
	m.publish(time.Now())
}

// request asks for a reading from every source that is not still reading, and returns how many it asked.
func (m *Monitor) request(now time.Time) (asked int) {
	for _, s := range m.sources {
		if s.request(now) {
			asked++
			continue
		}
		m.metrics.stuck.WithLabelValues(s.name).Inc()
		m.report(s, "a reading hangs: its last value stands", "for", now.Sub(s.asked))
	}
	return asked
}

// await takes in the answers to the requests made at a time, and waits for them for the grace time at
// most. A late answer to an older request is used, too, but await goes on waiting.
func (m *Monitor) await(ctx context.Context, asked int, at time.Time) {
	grace := time.NewTimer(m.config.Grace)
	defer grace.Stop()
	for asked > 0 {
		select {
		case <-ctx.Done():
			return
		case <-grace.C:
			return
		case a := <-m.answers:
			m.settle(a)
			if !a.at.Before(at) {
				asked--
			}
		}
	}
}

// settle applies an answer to its source, and logs if the source has begun to fail or works again.
func (m *Monitor) settle(a answer) {
	a.source.settle(a)
	if a.err != nil {
		m.metrics.errors.WithLabelValues(a.source.name).Inc()
		m.report(a.source, "a reading failed: its last value stands", "error", a.err)
	} else if a.source.failing {
		a.source.failing = false
		m.config.Logger.Info("monitor: readings are back", "source", a.source.name)
	}
}

// report logs that a source has no readings: once, not every second.
func (m *Monitor) report(s *source, text, key string, value any) {
	if !s.failing {
		s.failing = true
		m.config.Logger.Warn("monitor: "+text, "source", s.name, key, value)
	}
}

// publish sends the last values, with the age of the oldest.
func (m *Monitor) publish(now time.Time) {
	if m.cpu.apply == nil {
		return // what is idle is not known yet, and any number would be wrong
	}
	usage := subjects.Usage{Host: m.config.Host, At: now.UnixNano()}
	for _, s := range m.sources {
		if s.apply != nil {
			s.apply(&usage)
		}
		usage.Age = max(usage.Age, now.Sub(s.at).Seconds())
	}
	m.observe(&usage, now)
	m.step(&usage)
	m.guard(&usage)
	m.metrics.show(&usage)
	m.config.Publish(usage)
}

// guard adds the limits on batch work to a sample.
func (m *Monitor) guard(u *subjects.Usage) {
	if m.config.Guard == nil {
		return
	}
	u.Cap, u.Guarded, u.Budget = m.config.Guard.Guarded()
	m.counters.budget(u.Budget)
}
