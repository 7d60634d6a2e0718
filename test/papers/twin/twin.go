package twin

import (
	"math"
	"slices"

	"lull/placer/predict"
	"lull/subjects/tct"
	"lull/subjects/turns"
)

// task is one task of a stage on a host.
type task struct {
	stage, number int
	host          int
	waiting       []*transfer // requests that it has not made yet
	open          int         // requests that are under way
	running       bool        // all input has arrived, and the command runs
	left, rate    float64     // share of the run that is left, and share that is done per second
}

type host struct {
	slots, busy, others int     // slots in all; slots used by this job, and by other jobs
	idle, disk          float64 // idle cores; rate of the disk
	turn                int     // tasks that it got in the present call of place
	tasks               []*task
}

// output is a file that a task wrote.
type output struct {
	host  int
	bytes float64
}

type world struct {
	app     *predict.Application
	order   []int // the candidate: hosts that the job may use, in order
	hosts   []host
	net     *network
	outputs [][]output // by stage, then task
	placed  []int      // number of placed tasks, by stage
	ended   []int      // number of ended tasks, by stage
	now     float64    // seconds since the begin of the job
}

// Seconds returns the time at which the last task of the job ends if it runs on the candidate's hosts, +Inf
// if it never ends.
func Seconds(app *predict.Application, snapshot *predict.Snapshot, candidate []int) float64 {
	w := newWorld(app, snapshot, candidate)
	for {
		w.place()
		w.request()
		w.net.divide()
		w.pace()
		step := w.step()
		if math.IsInf(step, 1) {
			break
		}
		w.advance(step)
	}
	for i := range app.Stages {
		if !w.complete(i) {
			return math.Inf(1)
		}
	}
	return w.now
}

func newWorld(app *predict.Application, snapshot *predict.Snapshot, candidate []int) *world {
	w := &world{app: app, order: candidate, net: newNetwork(snapshot.Tree), outputs: make([][]output, len(app.Stages)), placed: make([]int, len(app.Stages)), ended: make([]int, len(app.Stages))}
	for i, h := range snapshot.Hosts {
		w.hosts = append(w.hosts, host{slots: h.Slots, others: h.Busy, idle: h.Idle, disk: snapshot.Tree.Hosts[i].Disk})
	}
	for i, s := range app.Stages {
		w.outputs[i] = make([]output, s.Tasks)
		for _, held := range s.Held {
			for range held.Files {
				w.outputs[i] = append(w.outputs[i], output{held.Host, held.Bytes / float64(held.Files)})
			}
		}
	}
	return w
}

func (w *world) complete(stage int) bool {
	return len(w.app.Stages[stage].Held) > 0 || w.ended[stage] == w.app.Stages[stage].Tasks
}

// place gives free slots to waiting tasks, in the order of the stages, until no slot or no task is left. A
// stage has to wait until the stages that it reads are complete.
func (w *world) place() {
	for i := range w.hosts {
		w.hosts[i].turn = 0
	}
	for i, s := range w.app.Stages {
		ready := len(s.Held) == 0
		for _, from := range s.From {
			ready = ready && w.complete(from.Stage)
		}
		for ready && w.placed[i] < s.Tasks && (s.AtOnce == 0 || w.placed[i]-w.ended[i] < s.AtOnce) {
			at := w.best()
			if at < 0 {
				return
			}
			h := &w.hosts[at]
			h.busy++
			h.turn++
			t := &task{stage: i, number: w.placed[i], host: at}
			t.waiting = w.requests(t)
			h.tasks = append(h.tasks, t)
			w.placed[i]++
		}
	}
}

// best returns the candidate's host on which a further task would run fastest, -1 if none has a usable
// slot. Of equal hosts it takes the one that got the fewest tasks in this call of place.
func (w *world) best() int {
	best, bestStep := -1, -1
	for _, at := range w.order {
		h := &w.hosts[at]
		r := tct.Residual(h.idle, h.others+h.busy+1)
		if h.busy == h.slots || r < tct.MinResidual {
			continue
		}
		if step := tct.Step(r); step > bestStep || step == bestStep && h.turn < w.hosts[best].turn {
			best, bestStep = at, step
		}
	}
	return best
}

// requests lists what a task has to fetch from other hosts, in the order in which an agent fetches it.
func (w *world) requests(t *task) (all []*transfer) {
	s := &w.app.Stages[t.stage]
	for _, from := range s.From {
		together := from.Kind == predict.Part && w.small(from.Stage, s.Tasks)
		var kept requestLists
		for number, o := range w.outputs[from.Stage] {
			bytes := o.bytes
			switch {
			case from.Kind == predict.Part:
				bytes /= float64(s.Tasks)
			case from.Kind == predict.After, from.Kind == predict.Same && number != t.number:
				continue
			}
			if o.host != t.host && bytes > 0 {
				kept.add(&transfer{task: t, from: o.host, to: t.host, left: bytes}, together)
			}
		}
		all = append(all, turns.Interleave(kept.lists, uint32(t.number))...)
	}
	return all
}

// requestLists are the requests for the outputs of one stage that a task reads, a list for each host that has
// some.
type requestLists struct {
	lists [][]*transfer
	parts []int // number of files in the last request of each list
}

// add adds a request to its host's list. If small files are fetched together, it adds the request's bytes to
// the last one of the list instead, up to turns.PartsPerRequest files.
func (s *requestLists) add(r *transfer, together bool) {
	at := slices.IndexFunc(s.lists, func(list []*transfer) bool { return list[0].from == r.from })
	switch {
	case at < 0:
		s.lists, s.parts = append(s.lists, []*transfer{r}), append(s.parts, 1)
	case together && s.parts[at] < turns.PartsPerRequest:
		s.parts[at]++
		s.lists[at][len(s.lists[at])-1].left += r.left
	default:
		s.lists[at], s.parts[at] = append(s.lists[at], r), 1
	}
}

// small reports whether the stage's outputs, divided among so many readers, have small parts on average.
func (w *world) small(stage, readers int) bool {
	sum := 0.0
	for _, o := range w.outputs[stage] {
		sum += o.bytes
	}
	return sum/float64(len(w.outputs[stage])*readers) <= turns.SmallPart
}

// request starts waiting requests, one of each task of a host in turn, up to the numbers that a task and a
// host may have at once.
func (w *world) request() {
	for i := range w.hosts {
		open := 0
		for _, t := range w.hosts[i].tasks {
			open += t.open
		}
		for more := true; more; {
			more = false
			for _, t := range w.hosts[i].tasks {
				if len(t.waiting) > 0 && t.open < turns.TaskTransfers && open < turns.HostTransfers {
					w.net.add(t.waiting[0])
					t.waiting = t.waiting[1:]
					t.open++
					open++
					more = true
				}
			}
		}
	}
}
