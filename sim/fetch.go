package sim

import (
	"slices"
	"time"

	"lull/subjects"
	"lull/subjects/turns"
)

// fetch is the state of a run that still fetches outputs of earlier stages from other hosts. The run
// begins when it has all.
type fetch struct {
	lists [][]request // one for each stage that it reads, fetched one list after the other, each in order
	open  []*transfer
	since time.Duration
	from  []fetched
}

// request is what one transfer fetches.
type request struct {
	from  int // the host, in the tree
	bytes float64
}

// fetched is what a run got from one rack.
type fetched struct {
	subjects.Fetched
	open  int
	since time.Duration
}

// over reports whether everything has been fetched.
func (f *fetch) over() bool { return len(f.lists) == 0 && len(f.open) == 0 }

// next takes the next request. It reports false if there is none, if as many are open as a task may have,
// or if those of the stage before are still under way.
func (f *fetch) next() (r request, ok bool) {
	for len(f.lists) > 0 && len(f.lists[0]) == 0 {
		if len(f.open) > 0 {
			return r, false
		}
		f.lists = f.lists[1:]
	}
	if len(f.lists) == 0 || len(f.open) == turns.TaskTransfers {
		return r, false
	}
	r, f.lists[0] = f.lists[0][0], f.lists[0][1:]
	return r, true
}

// rackOf returns the index at which transfers from a rack are counted. As in an agent's report, the first
// eight racks have one each, and all others share one.
func (f *fetch) rackOf(rack string) int {
	i := slices.IndexFunc(f.from, func(s fetched) bool { return s.Rack == rack })
	switch {
	case i >= 0:
		return i
	case len(f.from) >= subjects.MaxFetchedRacks && rack != subjects.OtherRacks:
		return f.rackOf(subjects.OtherRacks)
	}
	f.from = append(f.from, fetched{Fetched: subjects.Fetched{Rack: rack}})
	return len(f.from) - 1
}

// gather fetches what the run reads, and then begins it.
func (h *host) gather(r *run) {
	n := h.w.network
	if n == nil || len(r.inputs.lists) == 0 {
		h.begin(r)
		return
	}
	r.fetch = &fetch{lists: r.inputs.lists, since: h.w.now}
	h.request()
}

// request starts as many transfers as the runs and the host may have at once, one of each run in turn.
// Then it begins the runs that have everything.
func (h *host) request() {
	open := 0
	for _, r := range h.runs {
		if r.fetch != nil {
			open += len(r.fetch.open)
		}
	}
	for more := true; more; {
		more = false
		for _, r := range h.runs {
			if r.fetch == nil || open >= turns.HostTransfers {
				continue
			}
			if q, ok := r.fetch.next(); ok {
				h.transfer(r, q)
				open, more = open+1, true
			}
		}
	}
	for _, r := range slices.Clone(h.runs) {
		if r.fetch != nil && r.fetch.over() {
			h.fetched(r)
		}
	}
}

// transfer begins a request of a run.
func (h *host) transfer(r *run, q request) {
	n, f := h.w.network, r.fetch
	from := f.rackOf(n.rack(q.from))
	if f.from[from].open++; f.from[from].open == 1 {
		f.from[from].since = h.w.now
	}
	t := &transfer{from: q.from, to: n.host(h.Name), left: q.bytes}
	t.ended = func() {
		f.open = slices.DeleteFunc(f.open, func(o *transfer) bool { return o == t })
		s := &f.from[from]
		s.Bytes += int64(q.bytes)
		if s.open--; s.open == 0 {
			s.Seconds += (h.w.now - s.since).Seconds()
		}
		h.request()
	}
	f.open = append(f.open, t)
	n.begin(t)
}

// fetched begins a run that has all that it reads.
func (h *host) fetched(r *run) {
	for i := range r.fetch.from {
		r.copied.Fetched = append(r.copied.Fetched, r.fetch.from[i].Fetched)
	}
	r.copied.Fetching = (h.w.now - r.fetch.since).Seconds()
	r.fetch = nil
	h.begin(r)
}

// abandon ends the fetch of a run that is over before it began.
func (h *host) abandon(r *run) {
	if r.fetch == nil {
		return
	}
	for _, t := range r.fetch.open {
		h.w.network.drop(t)
	}
	r.fetch = nil
	h.request()
}
