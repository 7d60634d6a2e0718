package sim

import (
	"math"
	"time"

	"lull/subjects"
)

const (
	// sampleEvery is how often a monitor looks.
	sampleEvery = time.Second
	// beatSpacing is the least time between two beats that say something new:
	// see package hostctl.
	beatSpacing = 100 * time.Millisecond
	// telling is the change of idle cores that is told before its time.
	telling = 0.01
	// phases are the parts of a second in which monitors look: hosts of one
	// phase are heard together.
	phases = 10
)

// voice is a host's telemetry: its monitor's samples and its agent's beats.
type voice struct {
	h      *host
	phase  time.Duration
	look   timer
	told   float64 // idle cores of the last sample
	at     time.Duration
	batch  float64 // core-seconds of batch at the last sample
	beat   *subjects.Beat
	beatAt time.Duration
	beats  timer
}

func newVoice(h *host) voice {
	v := voice{h: h, at: -endOfTime / 2, beatAt: -endOfTime / 2}
	v.phase = time.Duration(stream(h.w.Seed, "phase "+h.Name).IntN(phases)) * sampleEvery / phases
	return v
}

// listen has the monitor look at its next time: it never looks more often than
// once a second, and what has not changed is not looked at.
func (v *voice) listen() { v.h.w.hasten(&v.look, v.next(v.h.w.now+1)) }

// next is the monitor's first look at or after a time.
func (v *voice) next(t time.Duration) time.Duration {
	past := (t - v.phase + warmUp) % v.every()
	if past == 0 {
		return t
	}
	return t + v.every() - past
}

func (v *voice) every() time.Duration { return min(sampleEvery, v.h.w.Telemetry) }

// sample tells what there is to tell, and looks again while the average moves.
func (v *voice) sample() {
	h, now := v.h, v.h.w.now
	idle := max(float64(h.Cores)-h.primary.mean(now, idleWindow), 0)
	if now-v.at >= h.w.Telemetry || math.Abs(idle-v.told) >= telling {
		v.tell(idle)
	}
	if h.primary.steady(now) {
		h.w.arm(&v.look, v.next(max(v.at+h.w.Telemetry, now+1)))
	} else {
		h.w.arm(&v.look, now+v.every())
	}
}

func (v *voice) tell(idle float64) {
	h, now := v.h, v.h.w.now
	if !h.agent.up {
		return
	}
	h.settle()
	batch := (h.batch - v.batch) / max((now-v.at).Seconds(), 1)
	v.told, v.at, v.batch = idle, now, h.batch
	u := h.w.samples.usage()
	*u = subjects.Usage{
		Host: h.Name, At: h.machine.now().UnixNano(), Cores: h.Cores, Idle: idle,
		Primary: h.primary.mean(now, sampleEvery), Batch: batch, Memory: h.Memory, MemoryFree: h.Memory,
	}
	h.w.tell(u, h.Name)
	h.agent.report(u)
	if v.beatAt != now {
		v.say()
	}
}

// hold sets what beats say from now on, and says it soon.
func (v *voice) hold(b subjects.Beat) {
	b.Boot = v.h.boot
	v.beat = v.h.w.samples.beat()
	*v.beat = b
	if v.h.w.now-v.beatAt >= beatSpacing {
		v.say()
		return
	}
	v.h.w.hasten(&v.beats, v.beatAt+beatSpacing)
}

func (v *voice) say() {
	v.h.w.disarm(&v.beats)
	if v.beat != nil && v.h.agent.up {
		v.beatAt = v.h.w.now
		v.h.w.tell(v.beat, v.h.Name)
	}
}
