package predict

import "lull/subjects/turns"

// enqueue lists the requests of a single task, one by one, in the order in which agents make them, and
// begins as many as may be open at once.
func (p *Predictor) enqueue(of int32) {
	c := &p.cohorts[of]
	s := &p.stages[c.stage]
	c.next = int32(len(p.queue))
	for i := range s.from {
		p.listRequests(of, &s.from[i])
	}
	c.end = int32(len(p.queue))
	c.pulls = int(c.end - c.next)
	for open := min(c.pulls, turns.TaskTransfers, turns.HostTransfers/p.groups[c.group].fetching); open > 0; open-- {
		p.pulls = append(p.pulls, p.queue[c.next])
		c.next++
	}
}

// listRequests lists a task's requests for what it reads of one stage: the first of each host that keeps some, the
// second, and so on, as package turns has it.
func (p *Predictor) listRequests(of int32, from *source) {
	c := &p.cohorts[of]
	hosts := 0
	for at := range p.groups {
		if p.bytes[from.stage*p.width+at] > 0 {
			hosts += int(p.remote(c, at))
		}
	}
	if hosts == 0 {
		return
	}
	first := turns.FirstList(uint32(c.number), hosts)
	for turn, before := 0.0, -1; len(p.queue) > before; turn++ {
		before = len(p.queue)
		p.listTurn(of, from, turn, first, hosts)
		p.listTurn(of, from, turn, 0, first)
	}
}

// listTurn lists the requests of one turn to the hosts from low up to high, counted as listRequests counts them.
func (p *Predictor) listTurn(of int32, from *source, turn float64, low, high int) {
	c, host := &p.cohorts[of], 0
	for at := range p.groups {
		cell := from.stage*p.width + at
		if p.bytes[cell] <= 0 {
			continue
		}
		begin := max(host, low)
		host += int(p.remote(c, at))
		files := min(p.files[cell]-turn*from.batch, from.batch)
		if files <= 0 {
			continue
		}
		bytes := from.share * p.bytes[cell] * files / p.files[cell]
		for range min(host, high) - begin {
			p.queue = append(p.queue, pull{cohort: of, source: int32(at), weight: 1, left: bytes, since: c.since, flow: -1, single: true})
		}
	}
}
