package sim

import (
	"lull/subjects/ledger"
	"lull/subjects/spec"
	"lull/subjects/turns"
)

// outputs is how many bytes each attempt wrote, by job and attempt. In a real pool only the attempt's host
// knows that.
type outputs map[string]map[uint64]float64

func (o outputs) put(job string, attempt uint64, bytes float64) {
	if bytes <= 0 {
		return
	}
	if o[job] == nil {
		o[job] = map[uint64]float64{}
	}
	o[job][attempt] = bytes
}

// inputs is what a run reads of earlier stages.
type inputs struct {
	bytes float64     // the total
	lists [][]request // by stage: the requests for files on other hosts
}

// inputs returns what a run of a job reads of earlier stages.
func (h *host) inputs(j *ledger.Job, r *run) (in inputs) {
	written := h.w.outputs[j.ID]
	if len(written) == 0 {
		return in
	}
	for _, from := range j.Shape.Stages[r.Stage].From {
		if list := h.reads(j, r, from, written, &in); len(list) > 0 {
			in.lists = append(in.lists, list)
		}
	}
	return in
}

// reads returns the requests for what a run reads of one stage, and adds all bytes that it reads there to
// in.bytes. Small files of a host are combined into one request. The requests go to the hosts in turn.
// The run's own host needs none.
func (h *host) reads(j *ledger.Job, r *run, from spec.From, written map[uint64]float64, in *inputs) []request {
	share, first, end := 1.0, uint32(0), uint32(j.Stages[from.Stage].Len())
	switch {
	case from.Partition:
		share = 1 / float64(j.Stages[r.Stage].Len())
	case from.Element:
		first, end = r.Task.Task, r.Task.Task+1
	}
	place := map[*ledger.Host]int{}
	var lists, small [][]request
	for kept := range h.w.ledger.OutputsOf(j, int(from.Stage), first, end) {
		bytes := written[kept.Attempt] * share
		in.bytes += bytes
		if kept.Host.Name == h.Name || bytes <= 0 || h.w.network == nil {
			continue
		}
		at, known := place[kept.Host]
		if !known {
			at = len(lists)
			place[kept.Host], lists, small = at, append(lists, nil), append(small, nil)
		}
		q := request{h.w.network.host(kept.Host.Name), bytes}
		if from.Partition && bytes <= turns.SmallPart {
			small[at] = append(small[at], q)
		} else {
			lists[at] = append(lists[at], q)
		}
	}
	for at := range small {
		lists[at] = append(lists[at], combineSmall(small[at])...)
	}
	return turns.Interleave(lists, r.Task.Task)
}

// combineSmall combines each turns.PartsPerRequest files of one host into one request.
func combineSmall(files []request) (all []request) {
	for i, q := range files {
		if i%turns.PartsPerRequest == 0 {
			all = append(all, q)
		} else {
			all[len(all)-1].bytes += q.bytes
		}
	}
	return all
}
