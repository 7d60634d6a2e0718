package ledger

// neighbours is how many ids in a row a page of the register has.
const neighbours = 16

// register finds attempts by id. Ids are sequences of the log, and many attempts are assigned in
// one batch, so their ids lie close together: an entry of the map is a page of neighbours, and most
// new attempts have their page already.
type register struct {
	pages  map[uint64]*page // by id / neighbours
	latest *page            // to which an attempt was added last, nil for none
	at     uint64           // its key in pages
	n      int              // attempts
}

// page has the attempts of neighbouring ids. One without attempts is not kept.
type page struct {
	attempts [neighbours]*Attempt // by id % neighbours, nil where there is none
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

// add adds an attempt. It takes the place of an earlier one of the same id.
func (r *register) add(a *Attempt) {
	p := r.pageFor(a.ID / neighbours)
	if p.attempts[a.ID%neighbours] == nil {
		p.n++
		r.n++
	}
	p.attempts[a.ID%neighbours] = a
}

// pageFor returns the page of a key, making it if there is none.
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
