package chaos

import (
	"time"

	"lull/actors"
	"lull/sim"
	"lull/subjects"
)

// kind is a kind of fault. It drops, delays or refuses an effect, or acts on the world.
type kind struct {
	effect bool
	fate   func(s Step) sim.Fate
	// begin and end act on one name; end may be nil.
	begin, end func(p *plan, target string, s Step)
}

// kinds are the faults that a script can name.
var kinds = map[string]kind{
	"lose":        {effect: true, fate: func(Step) sim.Fate { return sim.Fate{Lose: true} }},
	"loseack":     {effect: true, fate: func(Step) sim.Fate { return sim.Fate{LoseAck: true} }},
	"delay":       {effect: true, fate: func(s Step) sim.Fate { return sim.Fate{Delay: s.By} }},
	"delayack":    {effect: true, fate: func(s Step) sim.Fate { return sim.Fate{AckDelay: s.By} }},
	"again":       {effect: true, fate: func(s Step) sim.Fate { return sim.Fate{Again: s.By} }},
	"refuse":      {effect: true, fate: func(Step) sim.Fate { return sim.Fate{Refuse: actors.ErrFull} }},
	"crashbefore": {effect: true, fate: func(s Step) sim.Fate { return sim.Fate{Crash: sim.CrashBefore, Down: s.By} }},
	"crashafter":  {effect: true, fate: func(s Step) sim.Fate { return sim.Fate{Crash: sim.CrashAfter, Down: s.By} }},

	"crash":    {begin: on((*sim.World).Crash), end: on((*sim.World).Start)},
	"stop":     {begin: on((*sim.World).Stop), end: on((*sim.World).Start)},
	"poweroff": {begin: on((*sim.World).PowerOff), end: on((*sim.World).PowerOn)},
	"leave":    {begin: on((*sim.World).Leave), end: func(p *plan, target string, _ Step) { p.w.PowerOn(target) }},
	"expire":   {begin: on((*sim.World).Expire)},
	"forget":   {begin: on((*sim.World).Forget)},
	"skew":     {begin: func(p *plan, target string, s Step) { p.w.Skew(target, s.By, 0) }},
	"full":     {begin: func(p *plan, _ string, _ Step) { p.w.SetLogFull(true) }, end: func(p *plan, _ string, _ Step) { p.w.SetLogFull(false) }},
	"disk":     {begin: func(p *plan, target string, _ Step) { p.w.SetDiskFull(target, true) }, end: func(p *plan, target string, _ Step) { p.w.SetDiskFull(target, false) }},
	"vanish":   {begin: on((*sim.World).LoseOutputs)},
	"garbage":  {begin: garbage},
	"pause":    {begin: appendEvent(func(target string) subjects.Event { return &subjects.Paused{Host: target} }), end: resume},
	"drain":    {begin: appendEvent(func(target string) subjects.Event { return &subjects.Drained{Host: target} }), end: resume},
	"pauseall": {
		begin: appendEvent(func(string) subjects.Event { return &subjects.PoolPaused{} }),
		end:   appendEvent(func(string) subjects.Event { return &subjects.PoolResumed{} }),
	},
	"stranger": {begin: appendEvent(func(target string) subjects.Event {
		return &subjects.Led{Actor: target, Partition: subjects.WholePool, Instance: "stranger", Format: subjects.Format}
	})},
}

var resume = appendEvent(func(target string) subjects.Event { return &subjects.Resumed{Host: target} })

func on(do func(*sim.World, string)) func(*plan, string, Step) {
	return func(p *plan, target string, _ Step) { do(p.w, target) }
}

// appendEvent appends an event as an operator does, or a hostile client.
func appendEvent(eventOf func(target string) subjects.Event) func(*plan, string, Step) {
	return func(p *plan, target string, _ Step) {
		p.pending = append(p.pending, eventOf(target))
		if len(p.pending) == 1 {
			p.appendPending()
		}
	}
}

// appendPending appends the operators' waiting events in order. While the log is full it tries again each second,
// as a person would.
func (p *plan) appendPending() {
	for len(p.pending) > 0 && p.w.Append(p.pending[0]) == nil {
		p.pending = p.pending[1:]
	}
	if len(p.pending) > 0 {
		p.w.At(p.w.Now()+time.Second, p.appendPending)
	}
}

// garbage puts bytes that are no event on a subject of the log, and an event
// that fits nothing.
func garbage(p *plan, target string, _ Step) {
	pool := subjects.DefaultPool
	_ = p.w.Inject(pool.Joined(target), []byte{0xdd, 0xff, 0xff, 0xff, 0xff})
	_ = p.w.Append(&subjects.Finished{Host: target, Job: "nobody", Fact: subjects.Fact{Term: 1, Attempt: 1}})
	_ = p.w.Append(&subjects.Lost{Host: target, Term: 1})
}

// plan plays a script: it is the simulator's Faults.
type plan struct {
	script  *Script
	w       *sim.World
	hosts   []string
	used    []bool           // effect steps of no duration that have hit
	pending []subjects.Event // events that operators have yet to append
	watcher *watcher
}

// Begin arms what happens at a time.
func (p *plan) Begin(w *sim.World) {
	p.w, p.used = w, make([]bool, len(p.script.Steps))
	p.watcher.w = w
	p.endAfter(p.script.end())
	for _, s := range p.script.Steps {
		k := kinds[s.Do]
		if k.effect {
			continue
		}
		w.At(s.At, func() {
			p.each(s, k.begin)
			p.watcher.count(s.Do)
		})
		if k.end != nil {
			w.At(s.At+s.For, func() { p.each(s, k.end) })
		}
	}
}

// endAfter ends the run once all jobs have ended, but not before a time: the last fault must be over.
func (p *plan) endAfter(at time.Duration) {
	p.w.At(at, func() {
		if p.w.Open() == 0 {
			p.w.End()
			return
		}
		p.endAfter(p.w.Now() + time.Minute)
	})
}

// each acts on all that a step names.
func (p *plan) each(s Step, do func(*plan, string, Step)) {
	switch s.Target {
	case "*":
		for _, h := range p.hosts {
			do(p, h, s)
		}
	case "third":
		for i := 0; i < len(p.hosts); i += 3 {
			do(p, p.hosts[i], s)
		}
	default:
		do(p, s.Target, s)
	}
}

// Fate decides by the first step that hits the effect.
func (p *plan) Fate(e sim.Effect) sim.Fate {
	for i, s := range p.script.Steps {
		k := kinds[s.Do]
		if !k.effect || p.used[i] || s.Op != e.Op || e.At < s.At || !p.hits(s.Target, e) {
			continue
		}
		if s.For == 0 {
			p.used[i] = true
		} else if e.At >= s.At+s.For {
			continue
		}
		p.watcher.count(s.Do)
		return k.fate(s)
	}
	return sim.Fate{}
}

func (p *plan) hits(target string, e sim.Effect) bool {
	switch target {
	case "*", e.Process, e.From:
		return true
	case "third":
		for i := 0; i < len(p.hosts); i += 3 {
			if p.hosts[i] == e.From || "host/"+p.hosts[i] == e.Process {
				return true
			}
		}
	}
	return false
}

// end is when the last fault of a script is over.
func (s *Script) end() (end time.Duration) {
	for _, step := range s.Steps {
		end = max(end, step.At+step.For)
	}
	return end
}
