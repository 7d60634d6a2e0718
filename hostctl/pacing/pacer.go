package pacing

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

// Pacer moves tasks of one host at their rates: every pace.Sample it measures each
// and sets its cap. While no task is paced, nothing runs.
type Pacer struct {
	act    Actuator
	logger *slog.Logger

	// Learnt is told what a trial has shown. It must not wait, nor call the pacer.
	Learnt func(t *Task, l *pace.Learnt)
	// Idle is how many cores the primary leaves, 0 if that is not known.
	Idle func() float64
	// Each is told every sample, unless it is nil. It must not wait, nor call the pacer.
	Each func(t *Task)

	wake chan struct{}
	mu   struct {
		sync.Mutex
		tasks  map[uint64]*Task
		models map[string]pace.Model // by kind, from trials on this host
		brief  map[string]bool       // kinds whose tasks end before they show anything
	}
	cores float64 // of the host
}

// New returns the pacer of a host with so many cores. Run it.
func New(act Actuator, cores float64, logger *slog.Logger) *Pacer {
	p := &Pacer{act: act, cores: cores, logger: logger, wake: make(chan struct{}, 1)}
	p.Learnt, p.Idle = func(*Task, *pace.Learnt) {}, func() float64 { return 0 }
	p.mu.tasks, p.mu.models = make(map[uint64]*Task), make(map[string]pace.Model)
	p.mu.brief = make(map[string]bool)
	return p
}

// Set begins to pace a task, or changes its reference, in bytes/s.
func (p *Pacer) Set(t *Task) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if known := p.mu.tasks[t.ID]; known != nil {
		known.Reference, known.Priority = t.Reference, t.Priority
		return
	}
	p.mu.tasks[t.ID] = t
	if len(p.mu.tasks) == 1 {
		p.alert() // of several, all are sampled in step: one more must not delay the others
	}
}

// End lets a task go: it has ended, or is to run as fast as it may. Once End
// has returned, its slot has no cap from here.
func (p *Pacer) End(id uint64) {
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

func (p *Pacer) alert() {
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// Run is the loop. When ctx ends it lets all tasks go.
func (p *Pacer) Run(ctx context.Context) {
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

func (p *Pacer) busy() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.mu.tasks) > 0
}

func (p *Pacer) endAll() {
	p.mu.Lock()
	ids := slices.Collect(maps.Keys(p.mu.tasks))
	p.mu.Unlock()
	for _, id := range ids {
		p.End(id)
	}
}

// step is one sample of all tasks, in the order in which they came.
func (p *Pacer) step(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var live []*Task
	for _, id := range slices.Sorted(maps.Keys(p.mu.tasks)) {
		if t := p.mu.tasks[id]; t.Live() {
			live = append(live, t)
		} else if t.driver != nil {
			t.Meter.last = Reading{} // it rests: what it has done since says nothing
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
func (p *Pacer) measure(t *Task, now time.Time) {
	if t.driver == nil {
		p.meet(t)
	}
	t.now = Moment{At: now, Rate: t.Meter.Rate(now), Reference: t.Reference,
		InForce: min(p.act.InForce(t.Slot), t.Most), Trial: t.driver.Trial()}
}

// meet decides how a task is driven: by what is known of its kind, as the one that
// shows it, or by a guess while another one does or none lasts long enough.
func (p *Pacer) meet(t *Task) {
	t.model = t.Kind()
	m, known := p.mu.models[t.model]
	switch {
	case known:
		t.driver = pace.NewDriver(&m, t.Most)
	case p.mu.brief[t.model] || p.shows(t.model):
		t.driver = pace.NewGuess(t.Most)
	default:
		t.driver, t.trial = pace.NewDriver(nil, t.Most), true
	}
}

// shows reports whether a task of a kind is on trial.
func (p *Pacer) shows(kind string) bool {
	for _, t := range p.mu.tasks {
		if t.trial && t.model == kind {
			return true
		}
	}
	return false
}

// mediate limits each task so that together they stay under what there is.
func (p *Pacer) mediate(live []*Task) {
	cores := p.cores
	if idle := p.Idle(); idle > 0 {
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

func claimsOf(live []*Task) (claims []pace.Claim) {
	for _, t := range live {
		claims = append(claims, t.claim())
	}
	return claims
}

// doubtful lets those above the lowest priority claim warily. Among equals that
// would only turn their parts: a larger claim meets the slot's width first.
func doubtful(claims []pace.Claim, live []*Task) {
	lowest := math.Inf(1)
	for _, c := range claims {
		lowest = min(lowest, c.Priority)
	}
	for i, t := range live {
		if c := &claims[i]; c.Priority > lowest && !t.trial {
			c.Cores = t.driver.ClaimWarily(t.Reference)
		}
	}
}

// move takes a task one sample on.
func (p *Pacer) move(t *Task) {
	if t.samples++; t.samples > pace.Enough {
		delete(p.mu.brief, t.model) // the next one may show it
	}
	t.now.Cap = t.driver.Step(t.now.Rate, t.now.InForce, t.Reference)
	p.cap(t, t.now.Cap)
	if t.trial && !t.driver.Trial() {
		p.note(t)
	}
	p.doubt(t)
	if starved := t.driver.Unreachable(); starved != t.starved {
		t.starved = starved
		p.tell(t)
	}
	if p.Each != nil {
		p.Each(t)
	}
}

func (p *Pacer) cap(t *Task, cores float64) {
	if err := p.act.Pace(t.Slot, cores); err != nil {
		p.logger.Warn("a task's CPU cannot be capped", "attempt", t.ID, "cores", cores, "error", err)
	}
}

// note keeps what a trial has shown, for all of its kind.
func (p *Pacer) note(t *Task) {
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
	p.Learnt(t, l)
}

// doubt forgets a model that a task of its kind does not behave by: the next one
// shows it anew. This one goes on, at the border of the model's margin.
func (p *Pacer) doubt(t *Task) {
	if _, known := p.mu.models[t.model]; known && t.driver.Astray() {
		delete(p.mu.models, t.model)
		p.logger.Info("a task does not follow its cap as its kind did; the next one shows it anew", "attempt", t.ID, "kind", t.model)
	}
}

// tell logs that a task's reference cannot be reached, or can be again.
func (p *Pacer) tell(t *Task) {
	if !t.starved {
		p.logger.Info("a task reaches its rate again", "attempt", t.ID, "reference", math.Round(t.Reference))
		return
	}
	p.logger.Warn("a task cannot reach its rate", "attempt", t.ID, "reference", math.Round(t.Reference),
		"rate", math.Round(t.now.Rate), "cores", t.now.InForce, "kind", t.model)
}
