package steering

// Claims keep what steered jobs may still claim of their classes. A job that was just steered has
// nothing yet, and the next one must not be promised the same cores. The zero value keeps none.
type Claims struct {
	jobs   map[string]*claim
	totals map[string]Cores // of each class
}

// claim is one job's.
type claim struct {
	need  Cores
	held  Cores
	parts map[string]Cores // of each class: a share of the need, by headroom
}

// Steer notes that a job was steered to classes, with the headroom that each had.
func (c *Claims) Steer(job string, need Cores, headrooms map[string]Cores) {
	c.End(job)
	if c.jobs == nil {
		c.jobs, c.totals = map[string]*claim{}, map[string]Cores{}
	}
	total := Cores(0)
	for _, room := range headrooms {
		total += room
	}
	if total <= 0 {
		return
	}
	cl := &claim{need: need, parts: make(map[string]Cores, len(headrooms))}
	for class, room := range headrooms {
		cl.parts[class] = Cores(float64(need) * float64(room) / float64(total))
	}
	c.jobs[job] = cl
	c.count(cl, 1)
}

// Hold notes that the job's tasks hold so many cores more, or fewer.
func (c *Claims) Hold(job string, more Cores) {
	if cl := c.jobs[job]; cl != nil {
		c.count(cl, -1)
		cl.held += more
		c.count(cl, 1)
	}
}

// End forgets a job.
func (c *Claims) End(job string) {
	if cl := c.jobs[job]; cl != nil {
		c.count(cl, -1)
		delete(c.jobs, job)
	}
}

// Of is what jobs may still claim of a class.
func (c *Claims) Of(class string) Cores { return c.totals[class] }

// count adds what is left of a claim to the totals of its classes.
func (c *Claims) count(cl *claim, sign Cores) {
	left := max(0, cl.need-cl.held)
	if cl.need <= 0 {
		return
	}
	for class, part := range cl.parts {
		if c.totals[class] += sign * Cores(float64(part)*float64(left)/float64(cl.need)); c.totals[class] == 0 {
			delete(c.totals, class)
		}
	}
}
