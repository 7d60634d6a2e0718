package ledger

// neighbours is how many ids in a row a page of the register has.
const neighbours = 16

// register finds attempts by id. Ids are sequences of the log, and many attempts are assigned in one batch, so their ids lie
// close together: an entry of the map is a page of neighbours, and most new attempts have their page already.
type register struct {
	pages  map[uint64]*page
	latest *page  // to which an attempt was added last, nil for none
	at     uint64 // its place in the map
	n      int    // attempts
}

type page struct {
	attempts [neighbours]*Attempt
	n        int
}

func newRegister() register { return register{pages: map[uint64]*page{}} }

// find returns the attempt of an id, nil if there is none.
func (r *register) find(id uint64) *Attempt {
	if p := r.pages[id/neighbours]; p != nil {
		return p.attempts[id%neighbours]
	}
	return nil
}

// add adds an attempt, whose id must be new.
func (r *register) add(a *Attempt) {
	p := r.pageFor(a.ID / neighbours)
	p.attempts[a.ID%neighbours] = a
	p.n++
	r.n++
}

func (r *register) pageFor(at uint64) *page {
	if r.latest != nil && r.at == at {
		return r.latest
	}
	p := r.pages[at]
	if p == nil {
		p = new(page)
		r.pages[at] = p
	}
	r.latest, r.at = p, at
	return p
}

// remove removes the attempt of an id, if there is one.
func (r *register) remove(id uint64) {
	p := r.pages[id/neighbours]
	if p == nil || p.attempts[id%neighbours] == nil {
		return
	}
	p.attempts[id%neighbours] = nil
	p.n--
	r.n--
	if p.n == 0 {
		delete(r.pages, id/neighbours)
		if r.latest == p {
			r.latest = nil
		}
	}
}
