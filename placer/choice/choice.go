// Package choice answers the placer's question: on which hosts should a job run? It runs the search and
// the four baselines (see package policy), and says how good the chosen hosts are.
//
//	answer, err := choice.Make(question, choice.InTurn) // or a Runner that runs the search's islands in parallel
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

// Question is the job to place, the hosts to choose from, and the objective.
type Question struct {
	App      *predict.Application
	Snapshot *predict.Snapshot
	Wish     string // one of spec.Places; "" is spec.PlaceFast
	Seed     uint64
	// Free is how many of the job's tasks could start at once now, Room how many could if no other job
	// ran.
	Free, Room int
}

// Answer is the chosen set of hosts, and the predictions that it is compared with.
type Answer struct {
	Hosts       []int // indexes in the snapshot, rising
	Slots       []int // by host: slots that the job is predicted to use there
	Result      predict.Result
	Crossed     []float64 // by link above the hosts: bytes that the job moves over it
	Baselines   []search.Baseline
	Anywhere    search.Baseline // the prediction without a placement
	Gain        float64         // share of the time that the placement saves: see gain
	Bound       float64         // seconds that no placement can undercut
	Evaluations int             // number of predictions made
	Moving      float64         // the greatest of the baselines' shares of slot time that are spent on moving data
}

// Runner calls f for 0 to n−1, in turn or in parallel.
type Runner func(n int, f func(i int))

// InTurn is the Runner that makes one call after the other.
func InTurn(n int, f func(i int)) {
	for i := range n {
		f(i)
	}
}

// Make answers a question. It returns an error if the question contradicts itself. If no host can run a
// task, the answer is the zero Answer.
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

// choose sets the hosts: those of the baseline that the wish names, or else the best that a search finds.
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

// policyFor returns the baseline's policy that a wish names, the zero Policy if the wish needs a search.
func policyFor(wish string) policy.Policy {
	switch wish {
	case spec.PlaceSpread:
		return policy.All[0]
	case spec.PlacePack:
		return policy.All[1]
	}
	return policy.Policy{}
}

// Budget returns how many predictions a search may make. The more stages the application has and reads,
// the longer a prediction takes, and the fewer are made.
func Budget(app *predict.Application) int {
	const most, least = 2000, 48
	reads := 0
	for i := range app.Stages {
		reads += 1 + len(app.Stages[i].From)
	}
	return max(2*most/max(reads, 1), least)
}

// hostsNeeded returns how many hosts it takes to run all tasks of the widest stage at once, if each has
// the average number of slots of the hosts that can run a task. It is at most the number of those.
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

// dealSlots sets how many slots of each host the job uses: one for each task of the widest stage, dealt to
// the hosts in turn.
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

// setCrossed sets how many bytes the job moves over each link if it runs on the chosen hosts.
func (a *Answer) setCrossed(q Question) error {
	p, err := predict.New(q.App, q.Snapshot)
	if err != nil {
		return err
	}
	p.Predict(a.Hosts)
	a.Crossed = append([]float64(nil), p.Crossed()...)
	return nil
}
