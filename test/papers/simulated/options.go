package simulated

import (
	"flag"
	"path/filepath"
	"strings"

	"lull/slotter"
	"lull/test/tables"
)

// options are what the flags say.
type options struct {
	Seeds    int    // how many
	Seed     uint64 // the first
	Quick    bool   // a small run that only shows that it works
	Policies []string
	Jobs     string // of a replay: the file of jobs
	Hosts    string // of a replay: files of hosts' usage, separated by commas
	Measured string // the file of measured curves

	policies string
}

// quickSeeds is enough to see that a table prints, and for no conclusion.
const quickSeeds = 2

// flags defines the flags of every experiment, and with trace those of a replay.
func (o *options) flags(set *flag.FlagSet, seeds int, trace bool) {
	set.IntVar(&o.Seeds, "seeds", seeds, "how many seeds")
	set.Uint64Var(&o.Seed, "seed", 1, "the first seed")
	set.StringVar(&o.policies, "policies", "", "policies to compare, separated by commas; all by default")
	set.StringVar(&o.Measured, "measured", filepath.Join(tables.Module(), "test/papers/measured.json"), "the file of measured curves")
	if trace {
		set.StringVar(&o.Jobs, "jobs", "", "a trace of jobs in place of FB-2009")
		set.StringVar(&o.Hosts, "hosts", "", "files of hosts' usage in place of the defaults, separated by commas")
	}
}

// settled fills in what follows from the flags.
func (o *options) settled() options {
	if o.Quick {
		o.Seeds = min(o.Seeds, quickSeeds)
	}
	o.Seeds = max(o.Seeds, 1)
	o.Policies = known([]string{"fifo", "edf", "mp", "mp+"})
	if o.policies != "" {
		o.Policies = strings.Split(o.policies, ",")
	}
	return *o
}

// known returns the policies that the slotter has.
func known(policies []string) []string {
	var list []string
	for _, p := range policies {
		if _, err := slotter.New(slotter.Config{Policy: p}); err == nil {
			list = append(list, p)
		}
	}
	return list
}

// among are the policies asked for that an experiment compares.
func (o options) among(policies ...string) []string {
	var list []string
	for _, p := range policies {
		for _, asked := range o.Policies {
			if p == asked {
				list = append(list, p)
			}
		}
	}
	return list
}
