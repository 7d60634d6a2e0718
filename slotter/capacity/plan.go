package capacity

// Queue is a queue with jobs that run.
type Queue struct {
	Weight float64
	Jobs   []Job
	Share  float64 // of the capacity: set by Plan
}

// Job is a job with tasks that run.
type Job struct {
	// Needs is the share that its deadline needs, 0 for none.
	Needs  float64
	Stages []Stage
	Share  float64 // set by Plan
}

// Stage is a stage with tasks that run.
type Stage struct {
	Stage uint32
	Tasks int     // that run
	Most  float64 // share that one task can use
	// Capacity is what the whole pool reads for this stage's type, in bytes/s. 0 means unknown: its
	// tasks then have a share, but no rate.
	Capacity float64
	// Rate is what each task is to read, in bytes/s; 0 for as fast as it may: set
	// by Plan.
	Rate float64
}

// Plan divides the capacity: sets Share of queues and jobs and Rate of stages. It
// reports whether any stage gets less than it can use. If not, no task needs a rate,
// and all are 0.
//
// What jobs need for their deadlines comes first. But a queue cannot live on deadlines alone: for
// them it takes at most the part borrow of the others' shares.
func Plan(queues []Queue, borrow float64) (contended bool) {
	claims := make([]Claim, len(queues))
	weights, most := 0.0, 0.0
	for i := range queues {
		weights += queues[i].Weight
	}
	for i := range queues {
		share := queues[i].Weight / weights
		claims[i] = queues[i].claim(share + float64(borrow*(1-share)))
		most += claims[i].Most
	}
	contended = most > 1+slack
	for i, part := range Divide(1, claims) {
		queues[i].Share = part
		queues[i].divide(contended)
	}
	return contended
}

// slack is what sums of shares err by.
const slack = 1e-9

// claim is what a queue asks, its deadlines taking no more than a limit.
func (q *Queue) claim(limit float64) Claim {
	c := Claim{Weight: q.Weight}
	for i := range q.Jobs {
		j := q.Jobs[i].claim()
		c.Least, c.Most = c.Least+j.Least, c.Most+j.Most
	}
	c.Least = min(c.Least, limit)
	return c
}

func (j *Job) claim() Claim {
	c := Claim{Weight: 1}
	for i := range j.Stages {
		c.Most += float64(float64(j.Stages[i].Tasks) * j.Stages[i].Most)
	}
	c.Least = min(j.Needs, c.Most)
	return c
}

// divide splits a queue's share among its jobs, and theirs among their tasks.
func (q *Queue) divide(contended bool) {
	claims := make([]Claim, len(q.Jobs))
	for i := range q.Jobs {
		claims[i] = q.Jobs[i].claim()
	}
	for i, part := range Divide(q.Share, claims) {
		q.Jobs[i].Share = part
		q.Jobs[i].split(contended)
	}
}

// split gives each of the job's tasks the same, but none more than it can use:
// a serial merger all of it.
func (j *Job) split(contended bool) {
	claims := make([]Claim, len(j.Stages))
	for i := range j.Stages {
		n := float64(j.Stages[i].Tasks)
		claims[i] = Claim{Weight: n, Most: n * j.Stages[i].Most}
	}
	for i, part := range Divide(j.Share, claims) {
		st := &j.Stages[i]
		st.Rate = 0
		if contended && part < claims[i].Most*(1-slack) {
			st.Rate = part / float64(st.Tasks) * st.Capacity
		}
	}
}
