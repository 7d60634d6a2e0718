package hostctl

import (
	"context"
	"log/slog"
	"maps"
	"math"
	"slices"
	"sync"
	"time"

	"lull/hostctl/pace"
)

// pacer moves tasks of one host at their rates: every pace.Sample it measures each
// and sets its cap. While no task is paced, nothing runs.
type pacer struct {
	act    actuator
	logger *slog.Logger
	// learnt is told what a trial has shown. It may not wait.
	learnt func(t *paced, l *pace.Learnt)
	// idle is how many cores the primary leaves, 0 if that is not known.
	idle func() float64
	// each is told every sample, nil for nobody. It may not wait.
	each func(t *paced)

	wake chan struct{}
	mu   struct {
		sync.Mutex
		tasks  map[uint64]*paced
		models map[string]pace.Model // by kind, from trials on this host
	}
	cores float64 // of the host
}

func newPacer(act actuator, cores float64, logger *slog.Logger) *pacer {
	p := &pacer{act: act, cores: cores, logger: logger, wake: make(chan struct{}, 1)}
	p.learnt, p.idle = func(*paced, *pace.Learnt) {}, func() float64 { return 0 }
	p.mu.tasks, p.mu.models = make(map[uint64]*paced), make(map[string]pace.Model)
	return p
}

// set begins to pace a task, or changes its reference, in bytes/s.
func (p *pacer) set(t *paced) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if known := p.mu.tasks[t.id]; known != nil {
		known.reference, known.priority = t.reference, t.priority
		return
	}
	p.mu.tasks[t.id] = t
	notify(p.wake)
}

// end lets a task go: it has ended, or is to run as fast as it may. Once end
// has returned, its slot has no cap from here.
func (p *pacer) end(id uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	t := p.mu.tasks[id]
	if t == nil {
		return
	}
	delete(p.mu.tasks, id)
	if t.driver != nil {
		t.driver.End()
		p.note(t)
		p.cap(t, 0)
	}
}

// run is the loop. When ctx ends it lets all tasks go.
func (p *pacer) run(ctx context.Context) {
	tick := time.NewTicker(pace.Sample)
	defer tick.Stop()
	for {
		var next <-chan time.Time // none, while there is nothing to do
		if p.busy() {
			next = tick.C
		}
		select {
		case <-ctx.Done():
			p.endAll()
			return
		case <-p.wake:
			tick.Reset(pace.Sample)
		case now := <-next:
			p.step(now)
		}
	}
}

func (p *pacer) busy() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.mu.tasks) > 0
}

func (p *pacer) endAll() {
	p.mu.Lock()
	ids := slices.Collect(maps.Keys(p.mu.tasks))
	p.mu.Unlock()
	for _, id := range ids {
		p.end(id)
	}
}

// step is one sample of all tasks, in the order in which they came.
func (p *pacer) step(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var live []*paced
	for _, id := range slices.Sorted(maps.Keys(p.mu.tasks)) {
		if t := p.mu.tasks[id]; t.live() {
			live = append(live, t)
		} else if t.driver != nil {
			t.meter.last = reading{} // it rests: what it has done since says nothing
		}
	}
	for _, t := range live {
		p.measure(t, now)
	}
	p.mediate(live)
	for _, t := range live {
		p.move(t)
	}
}

// measure looks at a task; p.mu is held, as in all that follows.
func (p *pacer) measure(t *paced, now time.Time) {
	if t.driver == nil {
		p.meet(t)
	}
	t.now = Moment{At: now, Rate: t.meter.rate(now), Reference: t.reference,
		InForce: min(p.act.InForce(t.slot), t.most), Trial: t.driver.Trial()}
}

// meet decides how a task is driven: by what is known of its kind, as the one that
// shows it, or by a guess while another one does.
func (p *pacer) meet(t *paced) {
	t.model = t.kind()
	if m, ok := p.mu.models[t.model]; ok {
		t.driver = pace.NewDriver(&m, t.most)
		return
	}
	for _, o := range p.mu.tasks {
		if o.trial && o.model == t.model {
			t.driver = pace.NewGuess(t.most)
			return
		}
	}
	t.driver, t.trial = pace.NewDriver(nil, t.most), true
}

// mediate limits each task so that together they stay under what there is.
func (p *pacer) mediate(live []*paced) {
	cores := p.cores
	if idle := p.idle(); idle > 0 {
		cores = min(idle, cores)
	}
	claims := claimsOf(live, false)
	if pace.Heavy(claims, cores) {
		claims = claimsOf(live, true)
	}
	for i, limit := range pace.Mediate(claims, cores) {
		live[i].driver.Limit(limit)
	}
}

func claimsOf(live []*paced, warily bool) (claims []pace.Claim) {
	for _, t := range live {
		claims = append(claims, t.claim(warily))
	}
	return claims
}

// move takes a task one sample on.
func (p *pacer) move(t *paced) {
	t.now.Cap = t.driver.Step(t.now.Rate, t.now.InForce, t.reference)
	p.cap(t, t.now.Cap)
	if t.trial && !t.driver.Trial() {
		p.note(t)
	}
	p.doubt(t)
	if starved := t.driver.Unreachable(); starved != t.starved {
		t.starved = starved
		p.tell(t)
	}
	if p.each != nil {
		p.each(t)
	}
}

func (p *pacer) cap(t *paced, cores float64) {
	if err := p.act.Pace(t.slot, cores); err != nil {
		p.logger.Warn("a task's CPU cannot be capped", "attempt", t.id, "cores", cores, "error", err)
	}
}

// note keeps what a trial has shown, for all of its kind.
func (p *pacer) note(t *paced) {
	l := t.driver.Learnt()
	if !t.trial || l == nil {
		return
	}
	t.trial = false
	if l.Refused == "" {
		p.mu.models[t.model] = l.Model
		for _, o := range p.mu.tasks {
			if o != t && o.model == t.model && o.driver != nil {
				o.driver.Adopt(l.Model)
			}
		}
	}
	p.learnt(t, l)
}

// doubt forgets a model that a task of its kind does not behave by: the next one
// shows it anew. This one goes on, at the border of the model's margin.
func (p *pacer) doubt(t *paced) {
	if _, known := p.mu.models[t.model]; known && t.driver.Astray() {
		delete(p.mu.models, t.model)
		p.logger.Info("a task does not follow its cap as its kind did; the next one shows it anew", "attempt", t.id, "kind", t.model)
	}
}

// tell logs that a task's reference cannot be reached, or can be again.
func (p *pacer) tell(t *paced) {
	if !t.starved {
		p.logger.Info("a task reaches its rate again", "attempt", t.id, "reference", math.Round(t.reference))
		return
	}
	p.logger.Warn("a task cannot reach its rate", "attempt", t.id, "reference", math.Round(t.reference),
		"rate", math.Round(t.now.Rate), "cores", t.now.InForce, "kind", t.model)
}
