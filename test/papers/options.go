package main

import (
	"flag"
	"path/filepath"
	"runtime"
	"strings"

	"lull/slotter"
)

// options are what the flags say.
type options struct {
	Seeds    int    // how many
	Seed     uint64 // the first
	Quick    bool   // a small run that only shows that it works
	Policies []string
	Jobs     string // of swim: a trace
	Hosts    string // of swim: usage of hosts, separated by commas
	Measured string // the file of measured curves
	Plot     string // of the control figures: a file for the SVG
	Ways     string // of control-table3: how the names begin, separated by commas; all by default

	policies string
}

// quickSeeds is enough to see that a table prints, and for no conclusion.
const quickSeeds = 2

func optionsOf(flags *flag.FlagSet, seeds int) (o *options, output *string) {
	o = new(options)
	flags.IntVar(&o.Seeds, "seeds", seeds, "how many seeds")
	flags.Uint64Var(&o.Seed, "seed", 1, "the first seed")
	flags.BoolVar(&o.Quick, "quick", false, "a small run that only shows that it works")
	flags.StringVar(&o.policies, "policies", "", "policies to compare, separated by commas; all by default")
	flags.StringVar(&o.Jobs, "jobs", "", "swim: a trace of jobs in place of FB-2009")
	flags.StringVar(&o.Hosts, "hosts", "", "swim: files of hosts' usage in place of the defaults, separated by commas")
	flags.StringVar(&o.Measured, "measured", filepath.Join(module(), "test/papers/measured.json"), "the file of measured curves")
	flags.StringVar(&o.Plot, "plot", "", "control-figure6, -7: a file for the traces, as SVG")
	flags.StringVar(&o.Ways, "ways", "", "control-table3: only these, such as fair,unmanaged; without checks unless all are run")
	output = flags.String("output", "table", "table or json")
	return o, output
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

// some are a few of the settings in a quick run, all otherwise.
func some[T any](o options, settings []T, few ...int) []T {
	if !o.Quick {
		return settings
	}
	var list []T
	for _, i := range few {
		list = append(list, settings[i])
	}
	return list
}

// known are those of the policies that the slotter has.
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

// module is the module's root, as it was when the command was built.
func module() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Dir(filepath.Dir(filepath.Dir(file)))
}
