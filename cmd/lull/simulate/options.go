package simulate

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"lull/sim"
	"lull/sim/trace"
	"lull/slotter"
	"lull/slotter/steering"
)

// Options are what the command line says.
type Options struct {
	// Hosts and Jobs are paths; Machines and Curves too, "" for none.
	Hosts, Jobs, Machines, Curves string
	// Tenants is the path of a table of hosts and their tenants, "" for none: then each host is a
	// tenant of its own.
	Tenants string
	// Steer is the slotter's, and Weights go with it. Unless it is off, classes are learnt from the
	// usage before Host.From.
	Steer   string
	Weights steering.Weights
	// Policies are compared in this order. Each runs with Seeds seeds from
	// Seed on.
	Policies []string
	Seed     uint64
	Seeds    int

	// Host.From, Until and SkipBad hold for the jobs too.
	Host trace.HostOptions
	Job  trace.JobOptions
	// Nodes is the number of nodes of the cluster of a SWIM trace. Job.Swim.Scale
	// is hosts over nodes, at most 1, unless it is given.
	Nodes float64
	// Align begins the jobs with the first sample, whatever their clock says.
	Align bool
	// Patience is how long after its deadline a job is cancelled; one without,
	// after its submission. So every run ends.
	Patience time.Duration
	// Topology is the path of a file as lull topology set reads it; "" for none: outputs move in no
	// time then.
	Topology string
	// DataNodes are those with a limited capacity.
	DataNodes []sim.DataNode
}

// validate says what cannot be, in the words of the flags.
func (o *Options) validate() error {
	for _, c := range []struct {
		wrong bool
		text  string
	}{
		{o.Hosts == "", "--hosts is missing: give a CSV file with the usage of your hosts"},
		{o.Jobs == "", "--jobs is missing: give a CSV file with the jobs"},
		{len(o.Policies) == 0, "--policy is empty: name at least one"},
		{o.Seeds < 1 || o.Seeds > 1000, "--seeds must be 1 to 1000"},
		{o.Host.From < 0 || o.Host.Until < 0 || o.Host.Until > 0 && o.Host.Until <= o.Host.From, "--until must be later than --from, and neither negative"},
		{o.Host.Take < 0, "--take must not be negative"},
		{o.Host.Cores < 1 || o.Host.Cores > 4096, "--cores must be 1 to 4096"},
		{o.Host.Memory < 0, "--memory must not be negative"},
		{!within(o.Host.MaxMissing, 0, 1), "--max-missing must be a share from 0 to 1"},
		{!within(o.Job.Speed, 1e-6, 1e6), "--speed must be a positive number: 2 submits the jobs twice as fast"},
		{!within(o.Job.Noise, 0, 2), "--noise is the standard deviation of a logarithm: give 0 to 2"},
		{!within(o.Job.Swim.Scale, 0, 1e6), "--scale must be a positive number"},
		{!within(o.Nodes, 1, 1e7), "--nodes must be the number of servers that the trace is of"},
		{!within(o.Job.Swim.Block, 1e3, 1e15), "--block must be a size such as 128MiB"},
		{!within(o.Job.Swim.BlockSeconds, 1e-3, 1e6), "--block-seconds must be a positive number of seconds"},
		{!within(o.Job.Swim.Reducer, 1e3, 1e15), "--reducer must be a size such as 1GB"},
		{!within(o.Job.Swim.DeadlineFactor, -1, 1e6), "--deadline-factor must be a number; 0 for no deadlines"},
		{o.Patience <= 0 || o.Patience > maxPatience, "--patience must be positive, and at most a year"},
	} {
		if c.wrong {
			return errors.New(c.text)
		}
	}
	return o.policies()
}

// policies must be the slotter's, and each named once: of two rows alike one
// would hide the other.
func (o *Options) policies() error {
	seen := map[string]bool{}
	for _, p := range o.Policies {
		if _, err := slotter.New(slotter.Config{Policy: p}); p == "" || err != nil {
			return fmt.Errorf("--policy: %w", cmp.Or(err, errors.New("a name is empty")))
		}
		if seen[p] {
			return fmt.Errorf("--policy names %q twice: name each once", p)
		}
		seen[p] = true
	}
	return nil
}

const maxPatience = 365 * 24 * time.Hour

func within(v, least, most float64) bool { return v >= least && v <= most }
