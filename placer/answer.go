package placer

import (
	"lull/placer/picture"
	"lull/placer/topology"
	"lull/subjects"
)

// Answer answers a client's question.
func (a *Actor) Answer(ask string, body []byte) []byte {
	var answer any
	switch ask {
	case subjects.AskPlan:
		answer = a.answerPlan(body)
	case subjects.AskLinks:
		answer = a.answerLinks(body)
	}
	reply, err := subjects.Marshal(answer)
	if err != nil {
		return nil
	}
	return reply
}

func (a *Actor) answerPlan(body []byte) *subjects.PlanAnswer {
	var ask subjects.PlanAsk
	if err := subjects.Unmarshal(body, &ask); err != nil || ask.ID == "" || len(ask.ID) > mostID {
		return &subjects.PlanAnswer{Done: true, Error: "the request is none that the placer understands: ask with lull plan of its own version"}
	}
	if a.state.Network == nil {
		return &subjects.PlanAnswer{Done: true, Error: NoNetwork}
	}
	return a.plans.request(&ask)
}

func (a *Actor) answerLinks(body []byte) *subjects.LinksAnswer {
	var ask subjects.LinksAsk
	if err := subjects.Unmarshal(body, &ask); err != nil {
		return &subjects.LinksAnswer{Error: "the request is none that the placer understands: ask with lull topology of its own version"}
	}
	if a.state.Network == nil {
		return &subjects.LinksAnswer{Error: NoNetwork}
	}
	pool := a.lookAtPool(a.now)
	l := a.links(pool)
	if ask.Hosts {
		l.Hosts = hostLinks(pool)
	}
	return l
}

// NoNetwork says why nothing is placed where no topology is set.
const NoNetwork = "the pool's network is unknown, so no job is placed: describe it with lull topology set"

// links lists what links have left.
func (a *Actor) links(pool *picture.Pool) *subjects.LinksAnswer {
	l := &subjects.LinksAnswer{Missing: missing(pool.Out)}
	promised := topology.Promise{Rates: make([]float64, pool.Tree.Links())}
	for _, p := range a.promised(a.now, pool, nil) {
		for i, rate := range p.Rates {
			promised.Rates[i] += rate
		}
	}
	full, left := pool.Full, pool.Tree
	for i, r := range full.Racks {
		under := ""
		if r.Above > 0 {
			under = full.Aggregations[r.Above-1].Name
		}
		declared := &a.state.Network.Racks[i]
		l.Racks = append(l.Racks, subjects.LinkLine{
			Name: r.Name, Under: under, Up: declared.Up, Down: declared.Down, UpLearnt: reducedRate(r.Up, declared.Up), DownLearnt: reducedRate(r.Down, declared.Down), UpLeft: left.Racks[i].Up, DownLeft: left.Racks[i].Down,
			UpPromised: promised.Rates[full.Up(i)], DownPromised: promised.Rates[full.Down(i)],
		})
	}
	for i, s := range full.Aggregations {
		at := 2 * (len(full.Racks) + i)
		l.Above = append(l.Above, subjects.LinkLine{
			Name: s.Name, Up: s.Up, Down: s.Down, UpLeft: left.Aggregations[i].Up, DownLeft: left.Aggregations[i].Down,
			UpPromised: promised.Rates[at], DownPromised: promised.Rates[at+1],
		})
	}
	for i := range full.Hosts {
		l.Racks[full.Hosts[i].Rack].Hosts++
	}
	return l
}

// reducedRate is what a link counts for if that is less than its declared rate, 0 else.
func reducedRate(counts, declared float64) float64 {
	if counts < declared {
		return counts
	}
	return 0
}

// hostLinks lists what NICs have left.
func hostLinks(pool *picture.Pool) (all []subjects.LinkLine) {
	for i, h := range pool.Full.Hosts {
		all = append(all, subjects.LinkLine{
			Name: h.Name, Under: pool.Full.Racks[h.Rack].Name, Up: h.Out, Down: h.In, UpLeft: pool.Tree.Hosts[i].Out, DownLeft: pool.Tree.Hosts[i].In,
		})
	}
	return all
}

func missing(out []picture.Missing) (all []subjects.LeftOut) {
	for _, m := range out {
		all = append(all, subjects.LeftOut{Host: m.Host, Why: m.Why})
	}
	return all
}
