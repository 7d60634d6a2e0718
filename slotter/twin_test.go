package slotter

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"lull/slotter/facts"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
	"lull/subjects/tct"
)

// twin decides like the round does, slowly and obviously: for each slot it
// looks at every job, and sums every rate over all attempts.
type twin struct {
	a       *Actor
	rates   map[*ledger.Job]facts.Rate
	cursors map[*ledger.Stage]*ledger.Cursor
	hosts   []*twinHost
	all     []twinHost // as they were at the start
	kept    bool       // a host is kept for a task that does not fit yet
	tried   map[string]map[int]int
}

type twinHost struct {
	life   *ledger.Host
	idle   float64
	slots  int
	taken  []bool // slots, then places ahead
	memory int64
	turn   int  // when it was last given a task: equal hosts take turns
	brief  bool // all that it holds is over in a moment
	sated  bool // more than half of its places ahead were taken at the start
	still  bool // no host has CPU to spare: a slot for one core needs none
}

// option is a task that a slot could be given.
type option struct {
	j         *ledger.Job
	stage     int
	norm      int64
	elsewhere int64 // norm on an average slot
	late      bool
	probe     bool // its model knows nothing of such slots
	fits      bool
}

func newTwin(a *Actor) *twin {
	tw := &twin{a: a, rates: map[*ledger.Job]facts.Rate{}, cursors: map[*ledger.Stage]*ledger.Cursor{}, tried: map[string]map[int]int{}}
	for _, l := range a.models.Lessons() {
		for _, s := range l.Window.Samples() {
			tw.bins(l.Type)[facts.BinOf(s.Residual)]++
		}
	}
	still := !slices.ContainsFunc(a.facts.Ledger.Hosts(), func(life *ledger.Host) bool { return a.facts.Hosts.Of[life.Name].Idle >= tct.MinResidual })
	for i, life := range a.facts.Ledger.Hosts() {
		h := a.facts.Hosts.Of[life.Name]
		th := &twinHost{life: life, idle: h.Idle, memory: life.FreeMemory(), turn: i, slots: int(life.Joined.Slots), brief: true, still: still}
		for _, id := range life.Places() {
			th.taken = append(th.taken, id != 0)
		}
		tw.hosts = append(tw.hosts, th)
		tw.all = append(tw.all, *th)
		th.sated = 2*(len(th.taken)-th.busy()) < len(th.taken)-th.slots
		used := 0
		for _, at := range life.Attempts() {
			used += int(at.Width)
			c, residual := tw.curve(at.Job, int(at.Task.Stage)), tct.Residual(h.Idle, life.Busy())
			if at.Holds() && used <= th.slots {
				tw.rates[at.Job] += facts.RateOf(c, residual)
				if at.Job.Live() { // of the others, nothing is kept by the time they have ended
					tw.bins(at.Job.Shape.Model(int(at.Task.Stage)))[facts.BinOf(at.Why.Residual)]++
				}
			}
			th.brief = th.brief && at.Holds() && facts.Brief(c, residual) && a.facts.Now-at.Assigned < facts.Overdue
		}
	}
	return tw
}

// bins counts what is known of a model's slots, by range of residual.
func (tw *twin) bins(model string) map[int]int {
	if tw.tried[model] == nil {
		tw.tried[model] = map[int]int{}
	}
	return tw.tried[model]
}

func (tw *twin) curve(j *ledger.Job, stage int) *tct.Curve {
	if model := tw.a.facts.Ledger.Model(j.Shape.Model(stage)); model != nil {
		return tct.Of(model)
	}
	return tct.Default(j.Shape.Stages[stage].Estimate)
}

func (h *twinHost) busy() (n int) {
	for _, taken := range h.taken {
		if taken {
			n++
		}
	}
	return n
}

// residual is that of a slot when a task of so many cores runs too.
func (h *twinHost) residual(cpu uint32) float64 {
	return tct.Residual(h.idle, min(h.busy()+int(cpu), h.slots))
}

// gap is the first place for a task, -1 if there is none with residual enough.
func (h *twinHost) gap(st *spec.Stage) int {
	if h.memory < st.Memory || !h.life.Matches(st.Where) || h.residual(st.CPU) < tct.MinResidual && (!h.still || st.CPU != 1) {
		return -1
	}
	places := len(h.taken)
	if st.CPU > 1 {
		places = h.slots
		if h.busy()+int(st.CPU) > h.slots {
			return -1
		}
	}
	for slot := 0; slot+int(st.CPU) <= places; slot++ {
		if !slices.Contains(h.taken[slot:slot+int(st.CPU)], true) {
			return slot
		}
	}
	return -1
}

// could reports whether the task would fit if the host were empty.
func (h *twinHost) could(st *spec.Stage) bool {
	empty := *h
	empty.taken, empty.memory = make([]bool, len(h.taken)), h.life.Joined.Memory
	return empty.gap(st) >= 0 && empty.residual(st.CPU) >= tct.MinResidual
}

// decide lists what the round should assign.
func (tw *twin) decide() (lines []string) {
	for turn := len(tw.hosts); ; turn++ {
		h := tw.best()
		if h == nil {
			return lines
		}
		o, ok := tw.choose(h)
		if !ok {
			h.life = nil // nothing fits here in this round
			continue
		}
		h.turn = turn
		lines = append(lines, tw.give(h, o))
	}
}

// best returns the host whose next slot has the highest residual. When all slots are taken, it is
// the host whose next place ahead has.
func (tw *twin) best() (best *twinHost) {
	step := func(h *twinHost) int { return tct.Step(h.residual(1)) }
	for _, ahead := range []bool{false, true} {
		for _, h := range tw.hosts {
			if h.life == nil || h.busy() == len(h.taken) || h.residual(1) < tct.MinResidual && (ahead || !h.still) {
				continue
			}
			if waits := h.busy() >= h.slots; waits != ahead || waits && (!h.brief || h.sated) {
				continue
			}
			if best == nil || step(h) > step(best) || step(h) == step(best) && h.turn < best.turn {
				best = h
			}
		}
		if best != nil {
			return best
		}
	}
	return nil
}

// choose applies rule i, then rule ii, to all tasks that fit.
func (tw *twin) choose(h *twinHost) (best option, ok bool) {
	for j := range tw.a.facts.Ledger.LiveJobs().All() {
		if _, dead := j.Dead(); dead || !j.Live() {
			continue
		}
		for i := range j.Stages {
			if o, fits := tw.option(h, j, i); fits && (!ok || o.beats(best)) {
				best, ok = o, true
			}
		}
	}
	tw.kept = tw.kept || ok && !best.fits
	if ok && h.busy() >= h.slots && !facts.Brief(tw.curve(best.j, best.stage), h.residual(1)) {
		return best, false
	}
	return best, ok && best.fits
}

func (tw *twin) option(h *twinHost, j *ledger.Job, i int) (option, bool) {
	st := &j.Shape.Stages[i]
	if _, more := tw.peek(j.Stages[i]); !more || !j.Ready(i) {
		return option{}, false
	}
	fits := h.gap(st) >= 0
	if !fits && (tw.kept || !h.could(st)) {
		return option{}, false
	}
	residual := facts.ResidualAt(tct.Step(h.residual(st.CPU)))
	norm := int64(math.Floor(tw.curve(j, i).Norm(residual)*100 + 0.5))
	usual := tw.usual()
	average := tw.average(tw.curve(j, i))
	elsewhere := average / tw.curve(j, i).Seconds(1)
	left := math.Max(0, math.Max(0, float64(j.Deadline-tw.a.facts.Now)/1e9)-tw.later(j, usual)) - average
	late := j.Deadline != 0 && left*float64(tw.rates[j]) < float64(tw.ready(j))*facts.RateUnit
	model := j.Shape.Model(i)
	probe := tw.a.facts.Ledger.Model(model) == nil && tw.bins(model)[facts.BinOf(residual)] == 0
	return option{j, i, norm, int64(math.Floor(elsewhere*100 + 0.5)), late, probe, fits}, true
}

// ready counts the tasks that the job can do now.
func (tw *twin) ready(j *ledger.Job) (n int) {
	for i, st := range j.Stages {
		if j.Ready(i) {
			n += st.Len() - st.Done
		}
	}
	return n
}

// later is the time of the stages that are not ready.
func (tw *twin) later(j *ledger.Job, usual float64) float64 {
	slots := 0
	for _, h := range tw.all {
		n, _ := tct.Fill(h.idle, h.slots)
		slots += n
	}
	seconds := make([]float64, len(j.Stages))
	for i, st := range j.Stages {
		if !j.Ready(i) {
			waves := math.Ceil(float64(st.Len()) / math.Max(float64(slots), 1))
			seconds[i] = waves * tw.curve(j, i).Seconds(usual)
		}
	}
	return tct.CriticalPath(j.Shape.Stages, seconds)
}

// average is a task's time on an average slot, by rates.
func (tw *twin) average(c *tct.Curve) float64 {
	slots, rate := 0, 0.0
	for _, h := range tw.all {
		n, r := tct.Fill(h.idle, h.slots)
		slots += n
		rate += float64(n) / c.Seconds(facts.ResidualAt(tct.Step(r)))
	}
	if slots == 0 {
		return c.Seconds(1)
	}
	return float64(slots) / rate
}

// usual is the residual at or above which half of what is idle is.
func (tw *twin) usual() float64 {
	var parts []int
	all, above := 0, 0
	for _, h := range tw.all {
		n, _ := tct.Fill(h.idle, h.slots)
		for k := range n {
			part := tct.Step(math.Min(1, h.idle-float64(k)))
			if k > int(h.idle) {
				part = 0
			}
			parts, all = append(parts, part), all+part
		}
	}
	slices.Sort(parts)
	for i := len(parts) - 1; i >= 0; i-- {
		if above += parts[i]; 2*above >= all {
			return facts.ResidualAt(parts[i])
		}
	}
	return 0
}

func (o option) beats(p option) bool {
	if o.late != p.late {
		return o.late
	}
	if o.late && o.j.Deadline != p.j.Deadline {
		return o.j.Deadline < p.j.Deadline
	}
	if o.late || o.probe != p.probe {
		return !o.late && o.probe
	}
	if o.probe || o.norm != p.norm {
		return !o.probe && o.norm < p.norm
	}
	return o.elsewhere > p.elsewhere // jobs and stages come in order
}

func (tw *twin) peek(st *ledger.Stage) (uint32, bool) {
	if tw.cursors[st] == nil {
		tw.cursors[st] = &ledger.Cursor{}
	}
	c := *tw.cursors[st]
	return st.Next(tw.a.facts.Now, &c)
}

func (tw *twin) give(h *twinHost, o option) string {
	st := &o.j.Shape.Stages[o.stage]
	slot := h.gap(st)
	residual := facts.ResidualAt(tct.Step(h.residual(st.CPU)))
	if h.busy() < h.slots {
		tw.rates[o.j] += facts.RateOf(tw.curve(o.j, o.stage), residual)
	}
	h.brief = h.brief && facts.Brief(tw.curve(o.j, o.stage), residual)
	for i := range int(st.CPU) {
		h.taken[slot+i] = true
	}
	h.memory -= st.Memory
	task, _ := o.j.Stages[o.stage].Next(tw.a.facts.Now, tw.cursors[o.j.Stages[o.stage]])
	tw.bins(o.j.Shape.Model(o.stage))[facts.BinOf(residual)]++
	rule := "mp-ii"
	if o.probe {
		rule = "explore"
	}
	if o.late {
		rule = "mp-i"
	}
	return fmt.Sprintf("%s/%d.%d -> %s[%d+%d] %s r=%.2f", o.j.ID, o.stage, task, h.life.Name, slot, st.CPU, rule, residual)
}

func assignments(events []subjects.Event) (lines []string) {
	for _, e := range events {
		if e, ok := e.(*subjects.Assigned); ok && !e.Rival {
			lines = append(lines, fmt.Sprintf("%s/%d.%d -> %s[%d+%d] %s r=%.2f",
				e.Job, e.Stage, e.Task, e.Host, e.Slot, e.Width, e.Why.Rule, e.Why.Residual))
		}
	}
	return lines
}

// randomPool is small enough for the twin and odd enough to be interesting.
func randomPool(tb testing.TB, rng *rand.Rand, policy string) *pool {
	p := newPool(tb, Config{Policy: policy})
	for i := range 3 {
		p.say(&subjects.Fitted{Type: fmt.Sprint("type-", i), A: []float64{10, 0.05, 0.001}[i], B: -rng.Float64() * 3, C: rng.Float64() * []float64{5, 0.05, 0.001}[i], Low: 0.05, High: 1, Samples: 1e6})
	}
	for i := range 1 + rng.IntN(5) {
		slots := 1 + rng.IntN(6)
		p.joinAhead(fmt.Sprint("host-", i), uint32(slots), uint32(rng.IntN(4)), int64(2+rng.IntN(12)), rng.Float64()*float64(slots)*1.2, fmt.Sprint("zone=", rng.IntN(2)))
	}
	for i := range 1 + rng.IntN(8) {
		randomJob(p, rng, i)
	}
	return p
}

func randomJob(p *pool, rng *rand.Rand, i int) {
	deadline := time.Duration(0)
	if rng.IntN(2) == 0 {
		deadline = time.Duration(1+rng.IntN(60)) * time.Second
	}
	var stages []spec.Stage
	for k := range 1 + rng.IntN(3) {
		st := tasks(fmt.Sprint("stage-", k), uint32(1+rng.IntN(6)))
		st.CPU, st.Memory, st.Retries = uint32(1+rng.IntN(3)/2), int64(1+rng.IntN(2)), 3
		st.Estimate = time.Duration(1+rng.IntN(30)) * time.Second
		if rng.IntN(4) == 0 {
			st.Where = []string{fmt.Sprint("zone=", rng.IntN(2))}
		}
		if k > 0 && rng.IntN(2) == 0 {
			st.After = []uint32{uint32(k - 1)}
		}
		stages = append(stages, st)
	}
	p.submitSpec(fmt.Sprint("job-", i), deadline, spec.Job{Name: "job", Type: fmt.Sprint("type-", rng.IntN(5)), Stages: stages})
}

// live ends a random part of the running attempts in one way or another.
func (p *pool) live(rng *rand.Rand) {
	for _, h := range p.a.facts.Ledger.Hosts() {
		for _, at := range slices.Clone(h.Attempts()) {
			switch rng.IntN(8) {
			case 0, 1:
				p.say(done(at, 5+rng.Float64()*10))
			case 2:
				p.say(&subjects.Evicted{Host: h.Name, Job: at.Job.ID, Fact: fact(at)})
			case 3:
				p.say(&subjects.Failed{Host: h.Name, Job: at.Job.ID, Fact: fact(at), Reason: subjects.ReasonExit, Exit: 1})
			}
		}
		if rng.IntN(3) == 0 {
			p.use(h.Name, rng.Float64()*float64(h.Joined.Slots)*1.2)
		}
	}
	if rng.IntN(2) == 0 { // else what runs stays young
		p.pass(1 + rng.IntN(4))
	}
}

func TestMPDecidesLikeItsSlowTwin(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 0))
		p := randomPool(t, rng, "mp")
		for range 12 {
			p.a.facts.Now = p.now.UnixNano()
			want := newTwin(p.a).decide()
			p.a.facts.Due.Slots = true // time alone may change which queue's turn it is
			events := p.decide()
			if got := assignments(events); !slices.Equal(got, want) {
				rt.Fatalf("assigned\n%q\nthe twin says\n%q", got, want)
			}
			p.say(events...)
			for _, h := range p.a.facts.Ledger.Hosts() {
				if h.FreeMemory() < 0 {
					rt.Fatalf("host %s has promised too much memory", h.Name)
				}
			}
			p.live(rng)
		}
	})
}
