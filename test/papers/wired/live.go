package wired

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"lull/client"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/test/bench/live/host"
	"lull/test/report"
	"lull/test/tables"
)

// Tables are all experiments.
func Tables() []tables.Table {
	o := new(options)
	return []tables.Table{{
		Name: "tara-live", What: "a real sort on links that tc shapes, by policy: predicted and measured", Run: o.live,
		Flags: func(set *flag.FlagSet) { set.IntVar(&o.rounds, "rounds", 3, "how often each policy is measured") },
	}}
}

// options are what the flags say.
type options struct{ rounds int }

// live runs the sort by each policy in turn, in rounds.
func (o *options) live(ctx context.Context, quick bool) (*report.Report, error) {
	if why := unable(); why != "" {
		return &report.Report{Notes: []string{"skipped: " + why}}, nil
	}
	rounds, training := o.rounds, 2 // sorts on any hosts come first, so that their type is known
	if quick {
		rounds, training = 1, 1
	}
	of := make([][]*outcome, len(policies))
	var probed string
	err := within(ctx, func(b *bench, s *sorting) error {
		for range training {
			if _, err := b.run(ctx, s.job(policy{place: "off"})); err != nil {
				return err
			}
		}
		for range rounds {
			for i, by := range policies {
				o, err := b.run(ctx, s.job(by))
				if err != nil {
					return fmt.Errorf("%s: %w", by.name, err)
				}
				of[i] = append(of[i], o)
				if err := (&report.Report{Name: "so far", Rows: []report.Row{line(by, o)}}).Write(os.Stderr, "table"); err != nil {
					return err
				}
			}
		}
		var err error
		probed, err = b.probe(ctx)
		return err
	}, quick)
	if err != nil {
		return nil, err
	}
	r := tabulate(of)
	r.Notes = append(r.Notes, probed)
	return r, nil
}

// within builds programs, network and pool in memory, calls f, and leaves nothing.
func within(ctx context.Context, f func(b *bench, s *sorting) error, quick bool) (err error) {
	// The kernel ends the pool's processes when the thread that started them does: no other goroutine may have it.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	dir, err := os.MkdirTemp(memory(), "lull-live-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := os.Chdir(tables.Module()); err != nil {
		return err
	}
	binary, err := host.Build(ctx, dir)
	if err != nil {
		return err
	}
	work, err := host.BuildCommand(ctx, dir, "./test/bench/work")
	if err != nil {
		return err
	}
	s, err := prepare(ctx, dir, work, quick)
	if err != nil {
		return err
	}
	n, err := build(ctx)
	if err != nil {
		return err
	}
	defer n.remove()
	fl, err := startFleet(ctx, dir, binary, n)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, fl.stop()) }()
	b := &bench{fleet: fl}
	if err := b.open(ctx, n); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.close()) }()
	return f(b, s)
}

// memory is a folder in memory: twelve hosts would have disks of their own.
func memory() string {
	const shared = "/dev/shm"
	if info, err := os.Stat(shared); err == nil && info.IsDir() {
		return shared
	}
	return ""
}

// open tells the pool of its network, and opens what measures.
func (b *bench) open(ctx context.Context, n *network) (err error) {
	wired := &subjects.Wired{Who: client.Who()}
	rate := func(mbit int) float64 { return float64(mbit) * 1e6 / 8 }
	for rack, mbit := range uplinks {
		wired.Racks = append(wired.Racks, subjects.WiredRack{WiredLink: subjects.WiredLink{Name: rackName(rack), Up: rate(mbit), Down: rate(mbit)}})
	}
	for h := range racks * perRack { // the kernel reports 10 Gbit/s for every veth
		wired.NICs = append(wired.NICs, subjects.WiredLink{Name: hostName(h), Up: rate(nic), Down: rate(nic)})
	}
	if err := b.Append(ctx, ledger.New(), wired); err != nil {
		return err
	}
	if b.view, err = b.View(ctx); err != nil {
		return err
	}
	b.counters, err = openCounters(n.core())
	return err
}

// line is a row of one run.
func line(by policy, o *outcome) report.Row {
	return report.Row{
		{Key: "policy", Value: by.name}, {Key: "hosts_by_rack", Value: byRack(o.hosts)}, {Key: "predicted_s", Value: o.predicted}, {Key: "measured_s", Value: o.measured},
		{Key: "error_%", Value: 100 * (o.predicted/o.measured - 1)}, {Key: "crossed_MB", Value: o.crossed / 1e6}, {Key: "shuffle_s", Value: o.shuffle},
		{Key: "bound_used_%", Value: 100 * o.share}, {Key: "busy_cores", Value: o.machine}, {Key: "lull_cores", Value: o.pool},
	}
}

// middle is the median by measured seconds.
func middle(all []*outcome) *outcome {
	sorted := slices.SortedFunc(slices.Values(all), func(a, b *outcome) int {
		switch {
		case a.measured < b.measured:
			return -1
		case a.measured > b.measured:
			return 1
		}
		return 0
	})
	return sorted[len(sorted)/2]
}

// tabulate prints the run of each policy that took the median time, and checks all.
func tabulate(of [][]*outcome) *report.Report {
	r := &report.Report{Notes: []string{
		"The run with the median time of each policy; seconds from the first task given away to the end of the last. Rounds are interleaved.",
		fmt.Sprintf("bound_used: bytes over the busiest uplink, by its rate and the time in which 1 to 99 %% of all bytes crossed. busy_cores: of %g, of which lull's processes and tasks had lull_cores.", cores()),
		"The twelve agents share the machine's cores; their folders are in memory (" + filepath.Join(memory(), "lull-live-*") + ").",
	}}
	used, off := math.Inf(1), 0.0
	fastest, ours := math.Inf(1), 0.0
	var rows []*outcome
	for i, by := range policies {
		m := middle(of[i])
		rows = append(rows, m)
		r.Rows = append(r.Rows, line(by, m))
		off = math.Max(off, math.Abs(m.predicted/m.measured-1))
		if m.crossed > 50e6 {
			used = math.Min(used, m.share)
		}
		fastest = math.Min(fastest, m.measured)
		if by.ours {
			ours = m.measured
		}
	}
	r.Checks = []report.Check{
		report.AtMost("largest error, %", 100*off, 20),
		report.AtMost("pairs of policies that differ by 20 % and come in another order", float64(swapped(rows)), 0),
		report.AtMost("ours above the fastest, %", 100*(ours/fastest-1), 5),
		report.AtLeast("least share of the links' bound that was used while shuffling, %", 100*used, 80),
	}
	return r
}

// swapped counts pairs that are predicted to differ by a fifth or more, and differ the other way round.
func swapped(all []*outcome) (n int) {
	for _, a := range all {
		for _, b := range all {
			if a.predicted*1.2 < b.predicted && a.measured > b.measured {
				n++
			}
		}
	}
	return n
}
