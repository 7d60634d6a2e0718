package predict

import (
	"math"
	"slices"

	"lull/placer/flow"
)

// Predictor predicts one application on sets of hosts of one snapshot. Use each on one goroutine.
type Predictor struct {
	app      *Application
	snapshot *Snapshot
	holders  []int // hosts that keep outputs of complete stages
	holds    []bool

	now     float64
	ends    float64 // when the next run ends
	arrives float64 // when the next pull does
	oldest  float64 // since when the first of them is on its way
	result  Result
	crossed []float64 // bytes by link
	stages  []stage
	lowest  int // no stage before it has a task to place

	groups       []group
	width        int       // most groups that there can be
	bytes, files []float64 // that a host keeps, by stage and group

	cohorts []cohort
	vacant  []int32
	started bool    // some have yet to fetch
	free    bool    // slots or stages for them have come since the last placement
	crowds  bool    // more or fewer tasks share hosts: their runs are to be paced anew
	begun   []int32 // those that began to run and have no pace yet

	pulls         []pull
	queue         []pull // requests of single tasks that are not made yet
	sharing       flow.Sharing
	filled        float64 // time of the last rates
	refill, dirty bool    // rates are to be computed; flows are to be listed anew
	linked        int     // groups that have links
	path          []int
}

// New prepares predictions. It fails if the application or the snapshot contradicts itself.
func New(app *Application, snapshot *Snapshot) (*Predictor, error) {
	if err := snapshot.check(); err != nil {
		return nil, err
	}
	if err := app.check(len(snapshot.Hosts)); err != nil {
		return nil, err
	}
	p := &Predictor{app: app, snapshot: snapshot, holds: make([]bool, len(snapshot.Hosts)), crossed: make([]float64, snapshot.Tree.Links())}
	for _, s := range app.Stages {
		for _, held := range s.Held {
			p.holders = append(p.holders, held.Host)
			p.holds[held.Host] = true
		}
	}
	slices.Sort(p.holders)
	p.holders = slices.Compact(p.holders)
	p.describe()
	return p, nil
}

// same is how close two ends are that count as one, in parts of the time: what alike hosts do at
// the same time must not come apart by rounding.
const same = 1e-9

// Predict predicts the job on the candidate: indexes of hosts, in rising order.
func (p *Predictor) Predict(candidate []int) Result {
	p.begin(candidate)
	for {
		if p.free {
			p.place()
		}
		if p.started {
			p.startFetches()
		}
		if p.dirty || p.refill {
			p.share()
		}
		p.pace()
		next := min(p.ends, p.arrives)
		if math.IsInf(next, 1) {
			break
		}
		p.now = next
		until := next * (1 + same)
		p.finish(until)
		p.arrive(until)
	}
	p.result.Seconds = p.now
	for i := range p.stages {
		if p.stages[i].left > 0 {
			p.result.Seconds = math.Inf(1)
		}
	}
	return p.result
}

// Crossed returns the bytes that cross each link above the hosts in the last prediction, by
// topology's numbers. The next call overwrites it.
func (p *Predictor) Crossed() []float64 {
	clear(p.crossed)
	for i := range p.stages {
		if s := &p.stages[i]; s.counted {
			p.cross(s)
		}
	}
	return p.crossed
}

// cross counts what a stage's tasks fetched on the links between racks.
func (p *Predictor) cross(s *stage) {
	for to, tasks := range s.readers {
		if tasks <= 0 {
			continue
		}
		for from, bytes := range s.racks {
			p.path = p.snapshot.Tree.Path(p.path[:0], from, to)
			for _, link := range p.path {
				p.crossed[link] += float64(bytes * tasks)
			}
		}
	}
}

func (p *Predictor) begin(candidate []int) {
	p.now, p.filled, p.lowest, p.linked, p.result = 0, 0, 0, -1, Result{}
	p.cohorts, p.vacant, p.pulls, p.queue = p.cohorts[:0], p.vacant[:0], p.pulls[:0], p.queue[:0]
	p.started, p.refill, p.dirty, p.free, p.crowds = false, false, false, true, true
	p.ends, p.arrives, p.begun = math.Inf(1), math.Inf(1), p.begun[:0]
	for i := range p.stages {
		p.stages[i].begin()
	}
	for i := range p.stages {
		if p.stages[i].left > 0 {
			for _, next := range p.stages[i].next {
				p.stages[next].waits++
			}
		}
	}
	p.gather(candidate)
}
