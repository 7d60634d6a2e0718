package search

import (
	"math"
	"math/rand/v2"

	"lull/placer/policy"
	"lull/placer/predict"
	"lull/placer/shelf"
)

// Options of the search by counts.
type Options struct {
	Seed        uint64
	Evaluations int // predictions in all; at least one an island
}

// Plan is a search that is ready to run.
type Plan struct {
	problem Problem
	options Options
	shelves []shelf.Shelf
	of      []int // shelf by host, -1 for hosts that can run no task
}

// New prepares a search. It fails if application and snapshot contradict themselves.
func New(problem Problem, options Options) (*Plan, error) {
	if _, err := predict.New(problem.App, problem.Snapshot); err != nil {
		return nil, err
	}
	p := &Plan{problem: problem, options: options, shelves: shelf.Shelve(problem.Snapshot), of: make([]int, len(problem.Snapshot.Hosts))}
	for h := range p.of {
		p.of[h] = -1
	}
	for i, s := range p.shelves {
		for _, h := range s.Hosts {
			p.of[h] = i
		}
	}
	return p, nil
}

// Islands is the number of islands: one for each baseline.
func (p *Plan) Islands() int { return len(policy.All) }

// Solve runs all islands one after the other.
func Solve(problem Problem, options Options) (Answer, error) {
	p, err := New(problem, options)
	if err != nil {
		return Answer{}, err
	}
	var answers []Answer
	for i := range p.Islands() {
		answers = append(answers, p.Run(i))
	}
	return Merge(problem.Objective, answers), nil
}

// Run runs one island. Islands may run at the same time.
func (p *Plan) Run(island int) Answer {
	s := &climb{Plan: p, rng: rand.New(rand.NewPCG(p.options.Seed, uint64(island)))}
	s.predictor, _ = predict.New(p.problem.App, p.problem.Snapshot) // New has checked both
	s.begin(island)
	budget := max(p.options.Evaluations/p.Islands(), 1)
	for s.best.Evaluations < budget && s.move() {
		s.consider(float64(s.best.Evaluations) / float64(budget))
	}
	return s.best
}

// climb is the state of an island.
type climb struct {
	*Plan
	rng       *rand.Rand
	predictor *predict.Predictor
	best      Answer

	counts, trial []int // hosts of each shelf: of the present set, and of the one to be tried
	cost          float64
	busy          []float64 // seconds that the uplinks of racks need in the present set
	hosts         []int
}

// begin starts with a baseline, as counts.
func (s *climb) begin(island int) {
	s.counts = make([]int, len(s.shelves))
	for _, h := range policy.All[island].Choose(s.problem.Snapshot, s.problem.Hosts) {
		s.counts[s.of[h]]++
	}
	s.trial = append([]int(nil), s.counts...)
	s.busy = make([]float64, len(s.problem.Snapshot.Tree.Racks))
	s.cost = s.evaluate()
	s.load()
}

// evaluate predicts the trial and returns its cost.
func (s *climb) evaluate() float64 {
	s.hosts = shelf.Take(s.hosts[:0], s.shelves, s.trial)
	r := s.predictor.Predict(s.hosts)
	s.best.note(s.problem.Objective, s.hosts, r)
	return cost(s.problem.Objective, r)
}

// cost is what a move should lower. Among sets that end at the same time it prefers the one whose slots
// are held for less, because there the slowest link has fewer others beside it that are as slow.
func cost(objective predict.Objective, r predict.Result) float64 {
	if math.IsInf(r.Seconds, 1) {
		return math.Inf(1)
	}
	const beside = 0.1
	slots := max(r.Held/max(r.Seconds, 1e-9), 1)
	c := r.Seconds + beside*r.Held/slots*min(1, r.Moving())
	if objective == predict.Cheap {
		return r.Harvested + 1e-3*c
	}
	return c
}

// consider tries the trial, and makes it the present set if it is better, or not much worse: at first by
// up to some percent, at the end by nothing. progress is from 0 to 1.
func (s *climb) consider(progress float64) {
	const warm = 0.02
	c := s.evaluate()
	heat := warm * (1 - progress) * (1 - progress) * s.cost
	if c <= s.cost || heat > 0 && s.rng.Float64() < math.Exp((s.cost-c)/heat) {
		s.cost = c
		copy(s.counts, s.trial)
		s.load()
	}
}

// load computes how long the uplinks of the present set's racks need for what crosses them.
func (s *climb) load() {
	tree, crossed := s.problem.Snapshot.Tree, s.predictor.Crossed()
	for r := range s.busy {
		s.busy[r] = max(crossed[tree.Up(r)]/tree.Racks[r].Up, crossed[tree.Down(r)]/tree.Racks[r].Down)
	}
}
