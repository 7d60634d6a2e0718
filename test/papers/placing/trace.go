package placing

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"lull/placer/choice"
	"lull/placer/policy"
	"lull/placer/predict"
	"lull/placer/search"
	"lull/placer/topology"
	"lull/test/public"
	"lull/test/report"
	"lull/test/stat"
)

// Declared of the trace's network: 10:1 oversubscription of twenty hosts a rack.
const (
	traceRacks   = 150
	traceHosts   = 20
	traceUplink  = traceHosts * 1000 * megabit / 10
	traceNIC     = 10 * traceUplink // a line's reducers of one rack count as one, so no NIC bounds them
	traceSeconds = 0.01
)

// shuffle is a line of the trace: mappers in racks, and reducers with what each reads of all of them.
type shuffle struct {
	name    string
	arrives float64
	mappers []int
	at      []int     // racks of the reducers
	bytes   []float64 // that each reads
}

// trace replays the shuffles of a day, with reducers where each policy puts them.
func trace(ctx context.Context, o options) (*report.Report, error) {
	r := &report.Report{}
	all, err := readShuffles()
	if public.Absent(err) {
		r.Notes = append(r.Notes, fmt.Sprintf("Needs the coflow trace in %s, and is left out: %v.", public.Folder(), err))
		return r, nil
	}
	if err != nil {
		return nil, err
	}
	if o.Quick {
		all, o.Seeds = all[:40], 1
	}
	deciders := []decider{{"as traced", asTraced}}
	for _, rule := range policy.All {
		deciders = append(deciders, decider{rule.Name, func(p search.Problem, _ *shuffle) ([]int, error) { return rule.Choose(p.Snapshot, p.Hosts), nil }})
	}
	means := map[string]float64{}
	for _, d := range deciders {
		day, err := replay(ctx, all, d)
		if err != nil {
			return nil, err
		}
		means[d.name] = stat.Mean(day.took).Mean
		r.Rows = append(r.Rows, traced(d.name, day))
	}
	var ours []day
	for i := range o.Seeds {
		day, err := replay(ctx, all, searching(o.Seed+uint64(i)))
		if err != nil {
			return nil, err
		}
		ours = append(ours, day)
	}
	r.Rows = append(r.Rows, traced("ours", ours...))
	mean := meanOf(ours, func(d day) float64 { return stat.Mean(d.took).Mean })
	for _, rule := range policy.All {
		r.Checks = append(r.Checks, report.AtMost("mean of ours over that of "+rule.Name, mean/means[rule.Name], 1))
	}
	r.Notes = append(r.Notes, "150 racks, uplinks of 2 Gbit/s: a tenth of what 20 hosts of 1 Gbit/s could send. The trace joins the reducers of a rack: such a group is placed as one, and no NIC bounds it. Each policy sees what the flows of the shuffles before leave of the links.",
		"A reducer draws from its mappers in proportion to what they have for it; links are divided max–min.",
		"Unequal reducers of a shuffle are predicted as a few classes. Ours: means of the seeds of its searches.")
	return r, nil
}

// searching decides as lull placer searches.
func searching(seed uint64) decider {
	return decider{"ours", func(p search.Problem, _ *shuffle) ([]int, error) {
		a, err := search.Solve(p, search.Options{Seed: seed, Evaluations: choice.Budget(p.App)})
		return a.Hosts, err
	}}
}

// traced is a row of days with one decider: the means of what each of them shows.
func traced(name string, days ...day) report.Row {
	return row("reducers", name, "shuffles", len(days[0].took),
		"mean_s", meanOf(days, func(d day) float64 { return stat.Mean(d.took).Mean }), "median_s", meanOf(days, func(d day) float64 { return stat.Median(d.took) }),
		"p95_s", meanOf(days, func(d day) float64 { return stat.Nearest(d.took, 0.95) }), "over_uplinks_TB", meanOf(days, func(d day) float64 { return d.moved / 1e12 }))
}

func meanOf(days []day, of func(day) float64) (mean float64) {
	for _, d := range days {
		mean += of(d) / float64(len(days))
	}
	return mean
}

// decider chooses hosts for a shuffle's reducers.
type decider struct {
	name   string
	choose func(search.Problem, *shuffle) ([]int, error)
}

// asTraced takes free hosts of the racks in which the reducers were, or of the next ones.
func asTraced(p search.Problem, s *shuffle) (hosts []int, err error) {
	taken := map[int]bool{}
	for _, rack := range s.at {
		for k := range len(p.Snapshot.Hosts) {
			h := (rack*traceHosts + k) % len(p.Snapshot.Hosts)
			if !taken[h] && p.Snapshot.Hosts[h].Slots > 0 {
				taken[h] = true
				hosts = append(hosts, h)
				break
			}
		}
	}
	return hosts, nil
}

// traceTree is the network at rest.
func traceTree() *topology.Tree {
	tree := &topology.Tree{}
	for r := range traceRacks {
		tree.Racks = append(tree.Racks, topology.Rack{Name: fmt.Sprintf("rack%03d", r), Up: traceUplink, Down: traceUplink})
		for h := range traceHosts {
			tree.Hosts = append(tree.Hosts, topology.Host{Name: fmt.Sprintf("r%03dh%02d", r, h), Rack: r, Out: traceNIC, In: traceNIC})
		}
	}
	return tree
}

// question asks for hosts for the reducers of a shuffle. The output of its mappers is in the mappers' racks. The reducers come
// by size, the largest first, and those of about one size are a stage.
func (s *shuffle) question(snapshot *predict.Snapshot) search.Problem {
	app := &predict.Application{}
	for first := 0; first < len(s.bytes); {
		end, sum := first, 0.0
		for ; end < len(s.bytes) && s.bytes[end] >= s.bytes[first]*alike; end++ {
			sum += s.bytes[end]
		}
		app.Stages = append(app.Stages, predict.Stage{Held: s.held(sum)},
			predict.Stage{From: []predict.From{{Stage: len(app.Stages)}}, Tasks: end - first, Curve: flat(traceSeconds)})
		first = end
	}
	return search.Problem{App: app, Snapshot: snapshot, Hosts: len(s.bytes)}
}

// alike is the least share of the largest reducer's bytes that each other reducer of its stage has.
const alike = 0.6

// held returns bytes on the mappers' racks, spread over their hosts.
func (s *shuffle) held(bytes float64) (all []predict.Held) {
	for _, rack := range s.mappers {
		all = append(all, predict.Held{Host: rack * traceHosts, Bytes: bytes / float64(len(s.mappers)), Files: traceHosts})
	}
	return all
}

// readShuffles reads the trace, by arrival.
func readShuffles() (all []shuffle, err error) {
	err = public.Rows("jobs_coflow_fb2010_racks.csv.gz", func(f []string) error {
		s := shuffle{name: f[0], arrives: public.Number(f[1])}
		for _, m := range strings.Split(f[5], ";") {
			rack, err := strconv.Atoi(m)
			if err != nil {
				return err
			}
			s.mappers = append(s.mappers, rack%traceRacks)
		}
		for _, part := range strings.Split(f[6], ";") {
			at, size, _ := strings.Cut(part, ":")
			rack, err := strconv.Atoi(at)
			if err != nil {
				return err
			}
			s.at, s.bytes = append(s.at, rack%traceRacks), append(s.bytes, public.Number(size)*1e6)
		}
		s.sort()
		all = append(all, s)
		return nil
	})
	slices.SortStableFunc(all, func(a, b shuffle) int { return cmp.Compare(a.arrives, b.arrives) })
	return all, err
}

// sort puts the largest reducers first.
func (s *shuffle) sort() {
	order := make([]int, len(s.bytes))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(s.bytes[b], s.bytes[a]) })
	at, bytes := slices.Clone(s.at), slices.Clone(s.bytes)
	for to, from := range order {
		s.at[to], s.bytes[to] = at[from], bytes[from]
	}
}
