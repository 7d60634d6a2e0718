package sim

import (
	"math"
	"time"

	"lull/hostctl/actor"
	"lull/monitor/usual"
	"lull/subjects"
)

const (
	// sampleEvery is the interval of a monitor's samples.
	sampleEvery = time.Second
	// beatSpacing is the least time between two heartbeats with different contents, as in
	// package hostctl.
	beatSpacing = 100 * time.Millisecond
	// idleChange is the change of idle cores that is published before its time.
	idleChange = 0.01
	// phases is the number of moments in a second at which monitors sample. Samples of
	// one phase arrive together.
	phases = 10
)

// monitor publishes a host's telemetry: samples of its usage, and its agent's heartbeats.
type monitor struct {
	h           *host
	phase       time.Duration
	group       *monitorGroup
	index       int            // in the group
	usage       subjects.Usage // the last sample
	usual       usual.Idle     // on the host's disk
	publishedAt time.Duration  // when it was published
	batch       float64        // core-seconds of batch then
	beat        *subjects.Beat
	beatAt      time.Duration
	beats       timer
}

func (m *monitor) begin(h *host) {
	phase := stream(h.w.Seed, "phase "+h.Name).IntN(phases)
	*m = monitor{h: h, publishedAt: -endOfTime / 2, beatAt: -endOfTime / 2, phase: time.Duration(phase) * sampleEvery / phases}
	m.beats.do = m.publishBeat
	m.usage = subjects.Usage{Host: h.Name, Cores: h.Cores, Memory: h.Memory, MemoryFree: h.Memory}
	if h.Usual > 0 {
		m.usual.Add(Begin, h.Usual, 7*24*time.Hour)
	}
	if h.shared != nil {
		return
	}
	h.w.monitorsOfPhase(phase).add(m)
	m.group.schedule(m, m.next(h.w.now+sampleEvery))
}

// sampleNext makes the monitor sample at its next moment. It samples at most once a second, and
// not at all while nothing changes.
func (m *monitor) sampleNext() { m.group.schedule(m, m.next(m.h.w.now+1)) }

// next is the first moment of the monitor's phase at or after t.
func (m *monitor) next(t time.Duration) time.Duration {
	past := (t - m.phase + warmUp) % m.interval()
	if past == 0 {
		return t
	}
	return t + m.interval() - past
}

func (m *monitor) interval() time.Duration { return min(sampleEvery, m.h.w.Telemetry) }

// sample publishes what changed, and returns when to sample again: soon while the average moves.
func (m *monitor) sample() time.Duration {
	h, now := m.h, m.h.w.now
	idle := m.idle(idleWindow)
	if now-m.publishedAt >= h.w.Telemetry || math.Abs(idle-m.usage.Idle) >= idleChange {
		m.publish(idle)
	}
	if h.primary.steady(now) {
		return m.next(max(m.publishedAt+h.w.Telemetry, now+1))
	}
	return now + m.interval()
}

// uses returns the primary's average use over a time, in cores, as the host reports it.
func (m *monitor) uses(over time.Duration) float64 {
	if m.h.Blind {
		return 0
	}
	if m.h.shared != nil {
		return m.h.shared.uses()
	}
	return m.h.primary.mean(m.h.w.now, over)
}

func (m *monitor) idle(over time.Duration) float64 { return max(float64(m.h.Cores)-m.uses(over), 0) }

// publish sends a sample to the services, and to the agent if its actor uses it.
func (m *monitor) publish(idle float64) {
	h, now := m.h, m.h.w.now
	if !h.agent.up {
		return
	}
	batch, u := h.harvested(), &m.usage
	m.observe(idle, min(now-m.publishedAt, now))
	u.At, u.Idle, u.Primary = h.machine.unix(), idle, m.uses(sampleEvery)
	u.Batch = (batch - m.batch) / max((now-m.publishedAt).Seconds(), 1)
	m.publishedAt, m.batch = now, batch
	h.w.publishTelemetry(h.w.samples.usage(u), h.Name)
	if h.agent.actor.(*actor.Actor).NeedsSample(u) {
		h.agent.report(h.w.samples.usage(u))
	}
	if m.beatAt != now {
		m.publishBeat()
	}
}

// observe records what the host left idle since the last sample.
func (m *monitor) observe(idle float64, since time.Duration) {
	m.usual.Add(time.Unix(0, m.h.machine.unix()), idle, since)
	cores, observed := m.usual.Mean()
	m.usage.Usual, m.usage.Observed = cores, observed.Seconds()
}

// setBeat sets the contents of heartbeats from now on, and publishes it soon.
func (m *monitor) setBeat(b subjects.Beat) {
	b.Boot = m.h.boot
	last := m.beat
	m.beat = m.h.w.samples.beat(b)
	if m.h.shared != nil && last != nil && last.Term == b.Term && last.Paused == b.Paused && last.Full == b.Full && last.Frozen == b.Frozen {
		return // the services learn of the attempts from the log
	}
	if m.h.w.now-m.beatAt >= beatSpacing {
		m.publishBeat()
		return
	}
	m.h.w.armEarlier(&m.beats, m.beatAt+beatSpacing)
}

func (m *monitor) publishBeat() {
	m.h.w.disarm(&m.beats)
	if m.beat != nil && m.h.agent.up {
		m.beatAt = m.h.w.now
		m.h.w.publishTelemetry(m.beat, m.h.Name)
	}
}
