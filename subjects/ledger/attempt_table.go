package ledger

// pageSize is how many ids in a row a page has.
const pageSize = 16

// attemptTable finds attempts by id. Ids are sequences of the log, and many attempts are assigned in
// one batch, so their ids lie close together: an entry of the map is a page of neighbouring ids, and most
// new attempts have their page already.
type attemptTable struct {
	pages  map[uint64]*attemptPage // by id / pageSize
	latest *attemptPage            // to which an attempt was added last, nil for none
	at     uint64                  // its key in pages
	n      int                     // attempts
}

// attemptPage has the attempts of neighbouring ids. One without attempts is not kept.
type attemptPage struct {
	attempts [pageSize]*Attempt // by id % pageSize, nil where there is none
	n        int
}

func newAttemptTable() attemptTable { return attemptTable{pages: map[uint64]*attemptPage{}} }

// find returns the attempt of an id, nil if there is none.
func (t *attemptTable) find(id uint64) *Attempt {
	if p := t.pages[id/pageSize]; p != nil {
		return p.attempts[id%pageSize]
	}
	return nil
}

// add adds an attempt. It takes the place of an earlier one of the same id.
func (t *attemptTable) add(a *Attempt) {
	p := t.pageFor(a.ID / pageSize)
	if p.attempts[a.ID%pageSize] == nil {
		p.n++
		t.n++
	}
	p.attempts[a.ID%pageSize] = a
}

// pageFor returns the page of a key, making it if there is none.
func (t *attemptTable) pageFor(at uint64) *attemptPage {
	if t.latest != nil && t.at == at {
		return t.latest
	}
	p := t.pages[at]
	if p == nil {
		p = new(attemptPage)
		t.pages[at] = p
	}
	t.latest, t.at = p, at
	return p
}

// remove removes the attempt of an id, if there is one.
func (t *attemptTable) remove(id uint64) {
	p := t.pages[id/pageSize]
	if p == nil || p.attempts[id%pageSize] == nil {
		return
	}
	p.attempts[id%pageSize] = nil
	p.n--
	t.n--
	if p.n == 0 {
		delete(t.pages, id/pageSize)
		if t.latest == p {
			t.latest = nil
		}
	}
}
