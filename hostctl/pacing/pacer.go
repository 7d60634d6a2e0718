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

// Pacer runs tasks of one host at their rates: every pace.Sample it measures each task and
// sets its cap. While no task is paced it only waits.
type Pacer struct {
	act    Actuator
	logger *slog.Logger

	// OnLearnt is called with the result of each trial, from which the model of the task's kind is made. It
	// must not block or call the pacer.
	OnLearnt func(t *Task, l *pace.Learnt)
	// Idle returns the number of cores that the primary does not use, 0 if unknown.
	Idle func() float64
	// OnSample, unless nil, is called with each task at every sample. It must not block or call
	// the pacer.
	OnSample func(t *Task)

	wake chan struct{}
	mu   struct {
		sync.Mutex
		tasks  map[uint64]*Task
		models map[string]pace.Model // by kind, from trials on this host
		brief  map[string]bool       // kinds of tasks that end too soon for a trial
	}
	cores float64 // of the host
}

// New returns the pacer of a host with so many cores. It does nothing until its Run is called.
func New(act Actuator, cores float64, logger *slog.Logger) *Pacer {
	p := &Pacer{act: act, cores: cores, logger: logger, wake: make(chan struct{}, 1)}
	p.OnLearnt, p.Idle = func(*Task, *pace.Learnt) {}, func() float64 { return 0 }
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
		p.alert() // only for the first task: a reset ticker would delay the samples of others
	}
}

// End stops pacing a task that has ended or is no longer limited. When End returns, the pacer has removed
// the cap of the task's slot.
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
		p.keepResult(t)
		p.cap(t, 0)
	}
}

func (p *Pacer) alert() {
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// Run takes a sample of all tasks every pace.Sample. When ctx ends, it stops pacing them and returns.
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

// step takes one sample of all tasks, in the order of their ids.
func (p *Pacer) step(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var live []*Task
	for _, id := range slices.Sorted(maps.Keys(p.mu.tasks)) {
		if t := p.mu.tasks[id]; t.Live() {
			live = append(live, t)
		} else if t.driver != nil {
			t.Meter.last = Reading{} // the task is stopped: without this, its next rate would include the pause
		}
	}
	for _, t := range live {
		p.measure(t, now)
	}
	p.mediate(live)
	for _, t := range live {
		p.setCap(t)
	}
}

// measure takes a sample of a task. The caller holds p.mu, as for all methods below.
func (p *Pacer) measure(t *Task, now time.Time) {
	if t.driver == nil {
		p.chooseDriver(t)
	}
	t.now = Moment{At: now, Rate: t.Meter.Rate(now), Reference: t.Reference,
		InForce: min(p.act.InForce(t.Slot), t.Most), Trial: t.driver.Trial()}
}

// chooseDriver gives a task a driver. It has the model of the task's kind if there is one. While
// another task of the kind is on trial, or if tasks of the kind end too soon for a trial, it has a
// guessed model. Otherwise it starts a trial.
func (p *Pacer) chooseDriver(t *Task) {
	t.model = t.Kind()
	m, known := p.mu.models[t.model]
	switch {
	case known:
		t.driver = pace.NewDriver(&m, t.Most)
	case p.mu.brief[t.model] || p.onTrial(t.model):
		t.driver = pace.NewGuess(t.Most)
	default:
		t.driver, t.trial = pace.NewDriver(nil, t.Most), true
	}
}

// onTrial reports whether a task of a kind is on trial.
func (p *Pacer) onTrial(kind string) bool {
	for _, t := range p.mu.tasks {
		if t.trial && t.model == kind {
			return true
		}
	}
	return false
}

// mediate limits the caps of the tasks so that their sum stays below the available cores.
func (p *Pacer) mediate(live []*Task) {
	cores := p.cores
	if idle := p.Idle(); idle > 0 {
		cores = min(idle, cores)
	}
	claims := claimsOf(live)
	if pace.Heavy(claims, cores) {
		claimPessimistically(claims, live)
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

// claimPessimistically raises the claims of tasks above the lowest priority, as Driver.ClaimWarily describes. Tasks
// of the lowest priority keep their claims: larger ones would only shift the shares among them.
func claimPessimistically(claims []pace.Claim, live []*Task) {
	lowest := math.Inf(1)
	for _, c := range claims {
		lowest = min(lowest, c.Priority)
	}
	for i, t := range live {
		if c := &claims[i]; c.Priority > lowest && !t.trial {
			c.Cores = t.driver.ClaimPessimistically(t.Reference)
		}
	}
}

// setCap sets a task's cap for the next sample.
func (p *Pacer) setCap(t *Task) {
	if t.samples++; t.samples > pace.Enough {
		delete(p.mu.brief, t.model) // the next task may have a trial
	}
	t.now.Cap = t.driver.Step(t.now.Rate, t.now.InForce, t.Reference)
	p.cap(t, t.now.Cap)
	if t.trial && !t.driver.Trial() {
		p.keepResult(t)
	}
	p.dropModel(t)
	if starved := t.driver.Unreachable(); starved != t.starved {
		t.starved = starved
		p.logReach(t)
	}
	if p.OnSample != nil {
		p.OnSample(t)
	}
}

func (p *Pacer) cap(t *Task, cores float64) {
	if err := p.act.Pace(t.Slot, cores); err != nil {
		p.logger.Warn("a task's CPU cannot be capped", "attempt", t.ID, "cores", cores, "error", err)
	}
}

// keepResult stores the result of a task's trial, if it has one, and gives the model to all running tasks
// of the kind.
func (p *Pacer) keepResult(t *Task) {
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
	p.OnLearnt(t, l)
}

// dropModel removes the model of a kind if a task does not behave like it, so that the next
// task has a trial. This task continues at the border of the model's margin.
func (p *Pacer) dropModel(t *Task) {
	if _, known := p.mu.models[t.model]; known && t.driver.OutsideMargin() {
		delete(p.mu.models, t.model)
		p.logger.Info("a task does not follow its CPU cap as earlier ones of its type did; the next task is identified anew", "attempt", t.ID, "kind", t.model)
	}
}

// logReach logs that a task cannot reach its reference, or can again.
func (p *Pacer) logReach(t *Task) {
	if !t.starved {
		p.logger.Info("a task reaches its rate again", "attempt", t.ID, "reference", math.Round(t.Reference))
		return
	}
	p.logger.Warn("a task cannot reach its rate", "attempt", t.ID, "reference", math.Round(t.Reference),
		"rate", math.Round(t.now.Rate), "cores", t.now.InForce, "kind", t.model)
}
