package predict

// enqueue lists the requests of a single task, one by one, from another place in the list for each
// task, and begins as many as may be open at once.
func (p *Predictor) enqueue(of int32) {
	c := &p.cohorts[of]
	s := &p.stages[c.stage]
	first := len(p.queue)
	for i := range s.from {
		p.ask(of, &s.from[i])
	}
	all := p.queue[first:]
	n := len(all)
	p.queue = append(p.queue, all[:c.number*n/s.Tasks]...) // rotated: the begin moves behind the end
	begin := first + c.number*n/s.Tasks
	c.pulls, c.next, c.end = n, int32(begin), int32(begin+n)
	for open := min(n, taskRequests, hostRequests/p.groups[c.group].fetching); open > 0; open-- {
		p.pulls = append(p.pulls, p.queue[c.next])
		c.next++
	}
}

// ask lists a task's requests for what it reads of one stage: the first of each host, the second, and
// so on, as slots are given to tasks in turn.
func (p *Predictor) ask(of int32, from *source) {
	c := &p.cohorts[of]
	for turn, more := 0.0, true; more; turn++ {
		more = false
		for at := range p.groups {
			cell := from.stage*p.width + at
			files := min(p.files[cell]-turn*from.batch, from.batch)
			if files <= 0 || p.bytes[cell] <= 0 {
				continue
			}
			more = true
			bytes := from.share * p.bytes[cell] * files / p.files[cell]
			for range int(p.remote(c, at)) {
				p.queue = append(p.queue, pull{cohort: of, source: int32(at), weight: 1, left: bytes, flow: -1, single: true})
			}
		}
	}
}
