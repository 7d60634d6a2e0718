package choice

import (
	"cmp"
	"slices"

	"lull/placer/policy"
	"lull/placer/predict"
	"lull/placer/search"
	"lull/placer/shelf"
	"lull/subjects"
	"lull/subjects/tct"
)

// gain computes the share of its time that the hosts save the job, against a job that runs anywhere. Without a
// placement the job takes the best free slots, and then whichever slots other jobs leave. With one it
// waits for the slots of its hosts alone. When slots become free is not predicted. So the comparison favours
// the job that runs anywhere: its predicted time is shortened by the share of the slots that the job can use and that its
// hosts do not have free.
func (a *Answer) gain(q Question) error {
	p, err := predict.New(q.App, q.Snapshot)
	if err != nil {
		return err
	}
	hosts := anywhere(q)
	a.Anywhere = search.Baseline{Policy: policy.Policy{Name: subjects.PlacedAnywhere}, Hosts: hosts, Result: p.Predict(hosts)}
	wants := min(q.App.Widest(), q.Room)
	if wants == 0 {
		return nil
	}
	has := 0
	for _, n := range a.Slots {
		has += n
	}
	least := a.Anywhere.Result.Seconds * min(float64(min(has, q.Free))/float64(wants), 1)
	a.Gain = 1 - a.Result.Seconds/max(least, 1e-9)
	return nil
}

// anywhere is the hosts that the slotter gives tasks to where nothing keeps a job to some: those with the best slots,
// at most one for each task of the widest stage.
func anywhere(q Question) []int {
	hosts := shelf.Usable(q.Snapshot)
	slices.SortStableFunc(hosts, func(a, b int) int { return cmp.Compare(first(q.Snapshot.Hosts[b]), first(q.Snapshot.Hosts[a])) })
	hosts = hosts[:min(len(hosts), q.App.Widest())]
	slices.Sort(hosts)
	return hosts
}

// first is what a host's next slot is worth.
func first(h predict.Host) float64 { return tct.Residual(h.Idle, h.Busy+1) }
