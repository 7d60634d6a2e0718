// Package choice answers a placer's question: which hosts should a job have? It runs the search and the
// four baselines, and says how good the answer is.
//
//	answer, err := choice.Make(question, choice.InTurn) // or another runner, for islands side by side
//
// The answer follows from the question alone.
package choice

import (
	"math"

	"lull/placer/bound"
	"lull/placer/policy"
	"lull/placer/predict"
	"lull/placer/search"
	"lull/placer/shelf"
	"lull/subjects/spec"
)

// Question is the hosts to choose from, and the objective.
type Question struct {
	App      *predict.Application
	Snapshot *predict.Snapshot
	Wish     string // one of spec.Places; "" is spec.PlaceFast
	Seed     uint64
	// Free is how many of the job's tasks could begin at once now, Room how many if no other job ran.
	Free, Room int
}

// Answer is a set of hosts, and what it is compared with.
type Answer struct {
	Hosts       []int // indexes in the snapshot, rising
	Slots       []int // of each, that the job is predicted to use
	Result      predict.Result
	Crossed     []float64 // bytes that cross each link above the hosts
	Baselines   []search.Baseline
	Anywhere    search.Baseline // without a placement
	Gain        float64         // see gain
	Bound       float64         // seconds
	Evaluations int
	Moving      float64 // greatest share of its slots' time that a baseline spends on moving data
}

// Runner calls f for 0 to n−1, one after the other or side by side.
type Runner func(n int, f func(i int))

// InTurn runs one after the other.
func InTurn(n int, f func(i int)) {
	for i := range n {
		f(i)
	}
}

// Make answers a question. It returns an error if the question contradicts itself. The answer has no
// hosts if none can run a task.
func Make(q Question, run Runner) (Answer, error) {
	problem := search.Problem{App: q.App, Snapshot: q.Snapshot, Fewer: true, Hosts: hostsNeeded(q)}
	if q.Wish == spec.PlaceCheap {
		problem.Objective = predict.Cheap
	}
	if problem.Hosts == 0 {
		return Answer{}, nil
	}
	baselines, err := problem.Baselines()
	if err != nil {
		return Answer{}, err
	}
	a := Answer{Baselines: baselines}
	for i := range baselines {
		a.Moving = max(a.Moving, baselines[i].Result.Moving())
	}
	if err := a.choose(q, problem, run); err != nil {
		return Answer{}, err
	}
	a.Bound = bound.Least(q.App, q.Snapshot, problem.Hosts, true)
	a.dealSlots(q)
	if err := a.setCrossed(q); err != nil {
		return Answer{}, err
	}
	return a, a.gain(q)
}

// choose takes the wished policy's hosts, or searches.
func (a *Answer) choose(q Question, problem search.Problem, run Runner) error {
	for i := range a.Baselines {
		if b := &a.Baselines[i]; b.Policy == policyFor(q.Wish) {
			a.Hosts, a.Result, a.Evaluations = b.Hosts, b.Result, len(a.Baselines)
			return nil
		}
	}
	plan, err := search.New(problem, search.Options{Seed: q.Seed, Evaluations: Budget(q.App)})
	if err != nil {
		return err
	}
	answers := make([]search.Answer, plan.Islands())
	run(plan.Islands(), func(i int) { answers[i] = plan.Run(i) })
	best := search.Merge(problem.Objective, answers)
	a.Hosts, a.Result, a.Evaluations = best.Hosts, best.Result, best.Evaluations
	return nil
}

// policyFor returns the policy that a wish names, the zero Policy if the wish needs a search.
func policyFor(wish string) policy.Policy {
	switch wish {
	case spec.PlaceSpread:
		return policy.All[0]
	case spec.PlacePack:
		return policy.All[1]
	}
	return policy.Policy{}
}

// Budget returns how many predictions a search makes: fewer if each takes longer.
func Budget(app *predict.Application) int {
	const most, least = 2000, 48
	reads := 0
	for i := range app.Stages {
		reads += 1 + len(app.Stages[i].From)
	}
	return max(2*most/max(reads, 1), least)
}

// hostsNeeded returns how many hosts have as many slots as the widest stage has tasks, at the average of
// the hosts that can run one.
func hostsNeeded(q Question) int {
	usable := shelf.Usable(q.Snapshot)
	slots := 0
	for _, h := range usable {
		slots += shelf.Slots(q.Snapshot.Hosts[h])
	}
	if slots == 0 {
		return 0
	}
	mean := float64(slots) / float64(len(usable))
	return min(int(math.Ceil(float64(q.App.Widest())/mean)), len(usable))
}

// dealSlots deals the slots that the widest stage can use to the hosts in turn.
func (a *Answer) dealSlots(q Question) {
	a.Slots = make([]int, len(a.Hosts))
	for left, dealt := q.App.Widest(), true; left > 0 && dealt; {
		dealt = false
		for i, h := range a.Hosts {
			if left > 0 && a.Slots[i] < shelf.Slots(q.Snapshot.Hosts[h]) {
				a.Slots[i]++
				left--
				dealt = true
			}
		}
	}
}

// setCrossed sets what the chosen hosts move over the links above them.
func (a *Answer) setCrossed(q Question) error {
	p, err := predict.New(q.App, q.Snapshot)
	if err != nil {
		return err
	}
	p.Predict(a.Hosts)
	a.Crossed = append([]float64(nil), p.Crossed()...)
	return nil
}
