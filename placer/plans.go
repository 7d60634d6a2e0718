package placer

import (
	"math"
	"slices"
	"time"

	"lull/placer/picture"
	"lull/placer/predict"
	"lull/subjects"
	"lull/subjects/spec"
)

// plans are clients' requests to know where a job would be placed.
type plans struct {
	list []plan // the latest last
}

type plan struct {
	ask   subjects.PlanAsk
	taken bool
	reply *subjects.PlanAnswer
}

const (
	// mostPlans bounds the requests that are remembered.
	mostPlans = 16
	// mostID bounds the id of a request, in bytes.
	mostID = 100
)

// find returns a request by its id, nil if it is not known.
func (p *plans) find(id string) *plan {
	for i := range p.list {
		if p.list[i].ask.ID == id {
			return &p.list[i]
		}
	}
	return nil
}

// request returns what is known of a request. It adds a new one, and drops the oldest that was answered.
func (p *plans) request(ask *subjects.PlanAsk) *subjects.PlanAnswer {
	if known := p.find(ask.ID); known != nil {
		if known.reply != nil {
			return known.reply
		}
		return &subjects.PlanAnswer{}
	}
	if len(p.list) >= mostPlans {
		at := slices.IndexFunc(p.list, func(p plan) bool { return p.reply != nil })
		if at < 0 {
			return &subjects.PlanAnswer{Done: true, Error: "the placer is busy with plans for other clients: ask again in a minute"}
		}
		p.list = slices.Delete(p.list, at, at+1)
	}
	p.list = append(p.list, plan{ask: *ask})
	return &subjects.PlanAnswer{}
}

// next returns the search for the first request that waits, false if none does.
func (p *plans) next(a *Actor, now time.Time) (Search, bool) {
	for i := range p.list {
		if at := &p.list[i]; !at.taken {
			at.taken = true
			s, reply := a.planSearch(now, &at.ask)
			if reply == nil {
				return s, true
			}
			at.reply = reply
		}
	}
	return Search{}, false
}

// planSearch returns the search for a document, or the answer if no search is needed.
func (a *Actor) planSearch(now time.Time, ask *subjects.PlanAsk) (Search, *subjects.PlanAnswer) {
	answer := &subjects.PlanAnswer{Done: true}
	shape, err := parse(ask.Doc)
	if err != nil {
		answer.Error = err.Error()
		return Search{}, answer
	}
	job := picture.Job{Shape: shape}
	pool := a.lookAtPool(now)
	app, known := picture.Application(a.state, picture.Times{Curves: a.curves, Overhead: a.observed.overheads.Of}, job, pool.Index)
	answer.Left, answer.Hosts, answer.Objective = uint32(len(pool.Out)), uint32(len(pool.Index)), wishOf(shape.Place)
	switch {
	case !shape.Placeable():
		answer.Why = subjects.PlacedLittle
		return Search{}, answer
	case !known:
		answer.Why, answer.Unknown = subjects.PlacedUnknown, picture.Unknown(a.state, job)
		return Search{}, answer
	}
	s := Search{pool: pool, plan: ask.ID, shape: shape, AsOf: a.state.Seq, Unfit: a.unfit()}
	s.Question = question(app, pool.For(a.state, picture.NeedsOf(job), a.promised(now, pool, nil)), shape.Place, a.state.Seq)
	return s, nil
}

func parse(doc []byte) (*spec.Job, error) {
	d, err := spec.ParseWire(doc)
	if err != nil {
		return nil, err
	}
	job, err := d.Job()
	return &job, err
}

// setReply notes the reply to a request for which a search has ended.
func (p *plans) setReply(a *Actor, r *Searched) {
	at := p.find(r.plan)
	if at == nil {
		return
	}
	answer := &subjects.PlanAnswer{
		Done: true, Left: uint32(len(r.pool.Out)), Hosts: uint32(len(r.pool.Index)), Objective: wishOf(r.Question.Wish),
		Widest: uint32(r.Question.App.Widest()), Seed: r.Question.Seed, Evaluations: uint32(r.Answer.Evaluations), Bound: rounded(r.Answer.Bound),
	}
	at.reply = answer
	if r.Err != nil {
		answer.Error = r.Err.Error()
		return
	}
	if answer.Why = a.refusal(r, r.shape); answer.Why == subjects.PlacedNowhere {
		return
	}
	tabulate(answer, r)
}

// tabulate adds the choice by rack, and what each policy would reach.
func tabulate(answer *subjects.PlanAnswer, r *Searched) {
	of := map[int]*subjects.PlanRack{}
	for i, h := range r.Answer.Hosts {
		host := r.pool.Full.Hosts[h]
		rack := of[host.Rack]
		if rack == nil {
			rack = &subjects.PlanRack{Rack: r.pool.Full.Racks[host.Rack].Name}
			of[host.Rack] = rack
		}
		rack.Hosts = append(rack.Hosts, subjects.PlacedHost{Host: host.Name, Slots: uint32(r.Answer.Slots[i])})
		answer.Slots += uint32(r.Answer.Slots[i])
	}
	for i := range r.pool.Full.Racks {
		if rack := of[i]; rack != nil {
			answer.Racks = append(answer.Racks, *rack)
		}
	}
	row := func(policy string, hosts []int, result predict.Result) {
		racks := map[int]bool{}
		for _, h := range hosts {
			racks[r.pool.Full.Hosts[h].Rack] = true
		}
		if math.IsInf(result.Seconds, 0) {
			return
		}
		answer.Rows = append(answer.Rows, subjects.PlanRow{
			Policy: policy, Hosts: uint32(len(hosts)), Racks: uint32(len(racks)),
			Seconds: rounded(result.Seconds), Harvested: rounded(result.Harvested), Moving: rounded(result.Moving()),
		})
	}
	row("lull", r.Answer.Hosts, r.Answer.Result)
	for _, b := range append(slices.Clone(r.Answer.Baselines), r.Answer.Anywhere) {
		row(b.Name, b.Hosts, b.Result)
	}
}
