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
		brief  map[string]bool       // kinds whose tasks end before they show anything
	}
	cores float64 // of the host
}

func newPacer(act actuator, cores float64, logger *slog.Logger) *pacer {
	p := &pacer{act: act, cores: cores, logger: logger, wake: make(chan struct{}, 1)}
	p.learnt, p.idle = func(*paced, *pace.Learnt) {}, func() float64 { return 0 }
	p.mu.tasks, p.mu.models = make(map[uint64]*paced), make(map[string]pace.Model)
	p.mu.brief = make(map[string]bool)
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
	if len(p.mu.tasks) == 1 {
		notify(p.wake) // of several, all are sampled in step: one more must not delay the others
	}
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
// shows it, or by a guess while another one does or none lasts long enough.
func (p *pacer) meet(t *paced) {
	t.model = t.kind()
	m, known := p.mu.models[t.model]
	switch {
	case known:
		t.driver = pace.NewDriver(&m, t.most)
	case p.mu.brief[t.model] || p.shows(t.model):
		t.driver = pace.NewGuess(t.most)
	default:
		t.driver, t.trial = pace.NewDriver(nil, t.most), true
	}
}

// shows reports whether a task of a kind is on trial.
func (p *pacer) shows(kind string) bool {
	for _, t := range p.mu.tasks {
		if t.trial && t.model == kind {
			return true
		}
	}
	return false
}

// mediate limits each task so that together they stay under what there is.
func (p *pacer) mediate(live []*paced) {
	cores := p.cores
	if idle := p.idle(); idle > 0 {
		cores = min(idle, cores)
	}
	claims := claimsOf(live)
	if pace.Heavy(claims, cores) {
		doubtful(claims, live)
	}
	for i, limit := range pace.Mediate(claims, cores) {
		live[i].driver.Limit(limit)
	}
}

func claimsOf(live []*paced) (claims []pace.Claim) {
	for _, t := range live {
		claims = append(claims, t.claim())
	}
	return claims
}

// doubtful lets those above the lowest priority claim warily. Among equals that
// would only turn their parts: a larger claim meets the slot's width first.
func doubtful(claims []pace.Claim, live []*paced) {
	lowest := math.Inf(1)
	for _, c := range claims {
		lowest = min(lowest, c.Priority)
	}
	for i, t := range live {
		if c := &claims[i]; c.Priority > lowest && !t.trial {
			c.Cores = t.driver.ClaimWarily(t.reference)
		}
	}
}

// move takes a task one sample on.
func (p *pacer) move(t *paced) {
	if t.samples++; t.samples > pace.Enough {
		delete(p.mu.brief, t.model) // the next one may show it
	}
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
	p.forgetKinds()
	if l.Brief {
		p.mu.brief[t.model] = true
	}
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
