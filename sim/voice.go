package sim

import (
	"math"
	"time"

	"lull/hostctl/actor"
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
	chorus *chorus
	part   int            // its place there
	usage  subjects.Usage // the last sample
	told   time.Duration  // when it was
	batch  float64        // core-seconds of batch then
	beat   *subjects.Beat
	beatAt time.Duration
	beats  timer
}

func (v *voice) begin(h *host) {
	phase := stream(h.w.Seed, "phase "+h.Name).IntN(phases)
	*v = voice{h: h, told: -endOfTime / 2, beatAt: -endOfTime / 2, phase: time.Duration(phase) * sampleEvery / phases}
	v.beats.do = v.say
	v.usage = subjects.Usage{Host: h.Name, Cores: h.Cores, Memory: h.Memory, MemoryFree: h.Memory}
	h.w.chorus(phase).join(v)
	v.chorus.look(v, v.next(h.w.now+sampleEvery))
}

// listen has the monitor look at its next time: it never looks more often than
// once a second, and what has not changed is not looked at.
func (v *voice) listen() { v.chorus.look(v, v.next(v.h.w.now+1)) }

// next is the monitor's first look at or after a time.
func (v *voice) next(t time.Duration) time.Duration {
	past := (t - v.phase + warmUp) % v.every()
	if past == 0 {
		return t
	}
	return t + v.every() - past
}

func (v *voice) every() time.Duration { return min(sampleEvery, v.h.w.Telemetry) }

// sample tells what there is to tell, and returns when to look again: soon
// while the average moves.
func (v *voice) sample() time.Duration {
	h, now := v.h, v.h.w.now
	idle := max(float64(h.Cores)-h.primary.mean(now, idleWindow), 0)
	if now-v.told >= h.w.Telemetry || math.Abs(idle-v.usage.Idle) >= telling {
		v.tell(idle)
	}
	if h.primary.steady(now) {
		return v.next(max(v.told+h.w.Telemetry, now+1))
	}
	return now + v.every()
}

// tell tells the services, and the agent if it heeds it.
func (v *voice) tell(idle float64) {
	h, now := v.h, v.h.w.now
	if !h.agent.up {
		return
	}
	batch, u := h.harvest(), &v.usage
	u.At, u.Idle, u.Primary = h.machine.unix(), idle, h.primary.mean(now, sampleEvery)
	u.Batch = (batch - v.batch) / max((now-v.told).Seconds(), 1)
	v.told, v.batch = now, batch
	h.w.tell(h.w.samples.usage(u), h.Name)
	if h.agent.actor.(*actor.Actor).NeedsSample(u) {
		h.agent.report(h.w.samples.usage(u))
	}
	if v.beatAt != now {
		v.say()
	}
}

// hold sets what beats say from now on, and says it soon.
func (v *voice) hold(b subjects.Beat) {
	b.Boot = v.h.boot
	v.beat = v.h.w.samples.beat(b)
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
