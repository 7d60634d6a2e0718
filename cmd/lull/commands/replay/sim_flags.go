package replay

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"lull/cmd/lull/help"
	"lull/cmd/lull/serve/flags"
	"lull/cmd/lull/shellword"
	"lull/sim"
	"lull/slotter"
	"lull/subjects/humane"
	"lull/subjects/spec"
)

func (s *simulation) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&s.Hosts, "hosts", "", "CSV file with the CPU usage of hosts (required)")
	f.StringVar(&s.Jobs, "jobs", "", "CSV file with jobs (required)")
	f.StringSliceVar(&s.Policies, "policy", []string{slotter.PolicyFIFO, slotter.PolicyEDF, slotter.PolicyMP, slotter.PolicyMPPlus}, "policies to compare, separated by commas")
	f.StringVar(&s.html, "html", "", "write a page with plots to this file")
	f.StringVar(&s.Curves, "curves", "", "JSON file with measured task times by residual CPU, for types named there")
	f.StringVar(&s.Topology, "topology", "", "YAML file with racks and their uplinks, as lull topology set reads: tasks fetch over them, and each policy runs with a placer too")
	f.StringVar(&s.Machines, "machines", "", "CSV file with series_id,cores,memory_mb of hosts")
	f.StringVar(&s.Tenants, "tenants", "", "CSV file with host,tenant: the owners of hosts (default each host is a tenant of its own)")
	flags.Choose(f, &s.Steer, "steer", "how the history of tenants chooses hosts: not (off), by survival (profile), by classes (paper); learnt from the usage before --from",
		slotter.SteerOff, slotter.SteerProfile, slotter.SteerPaper)
	flags.Weights(f, &s.Weights)
	f.Uint64Var(&s.Seed, "seed", 1, "seed of the random numbers")
	f.IntVar(&s.Seeds, "seeds", 1, "number of seeds, from --seed on; the table shows means")
	s.ColorFlag(f)
	s.hostFlags(f)
	s.jobFlags(f)
	s.swimFlags(f)
	help.Simulated.In(f, "cores", "memory", "take", "from", "until", "max-missing", "skip-bad", "speed", "noise", "align", "patience", "source")
	help.SWIM.In(f, "scale", "nodes", "block", "block-seconds", "reducer", "deadline-factor")
	for _, name := range []string{"hosts", "jobs", "machines", "tenants"} {
		_ = cmd.MarkFlagFilename(name, "csv", "gz")
	}
	_ = cmd.MarkFlagFilename("curves", "json")
	_ = cmd.MarkFlagFilename("topology", "yaml", "yml", "json")
	_ = cmd.MarkFlagFilename("html", "html")
}

func (s *simulation) hostFlags(f *pflag.FlagSet) {
	o := &s.Host
	f.Uint32Var(&o.Cores, "cores", 2, "cores of a host that --machines does not list")
	f.Var((*size)(&o.Memory), "memory", "memory of a host that --machines does not list (default 2GiB a core)")
	f.IntVar(&o.Take, "take", 0, "use only this many hosts, the first ones (default all)")
	f.Var((*moment)(&o.From), "from", "begin at this time of the files, in seconds or as 36h")
	f.Var((*moment)(&o.Until), "until", "end at this time of the files")
	f.Float64Var(&o.MaxMissing, "max-missing", 0.5, "leave out hosts of which a larger share of samples is missing")
	f.BoolVar(&o.SkipBad, "skip-bad", false, "skip bad rows instead of refusing the file")
}

func (s *simulation) jobFlags(f *pflag.FlagSet) {
	f.Float64Var(&s.Job.Speed, "speed", 1, "submit jobs this many times as fast")
	f.Float64Var(&s.Job.Noise, "noise", 0.1, "spread of task times: standard deviation of their logarithm")
	f.BoolVar(&s.Align, "align", false, "shift the jobs' times so that they begin with the first sample")
	f.DurationVar(&s.Patience, "patience", 72*time.Hour, "cancel a job this long after its deadline, or its submission if it has none")
	f.Var((*nodes)(&s.DataNodes), "source", "capacity of a data node in bytes/s, such as nfs:a=100MB; may be repeated")
}

func (s *simulation) swimFlags(f *pflag.FlagSet) {
	o := &s.Job.Swim
	f.Float64Var(&o.Scale, "scale", 0, "multiply bytes by this (default hosts / --nodes, at most 1)")
	f.Float64Var(&s.Nodes, "nodes", 600, "servers of the traced cluster")
	o.Block, o.Reducer = 128<<20, 1e9
	f.Var((*volume)(&o.Block), "block", "bytes of a map task")
	f.Float64Var(&o.BlockSeconds, "block-seconds", 20, "time of a map task on an idle core")
	f.Var((*volume)(&o.Reducer), "reducer", "bytes of a reduce task")
	f.Float64Var(&o.DeadlineFactor, "deadline-factor", 3, "deadline as a multiple of the time alone on idle hosts; 0 for none")
}

// moment is a time of a file's clock: seconds, or a duration.
type moment time.Duration

func (m *moment) String() string {
	return strconv.FormatFloat(time.Duration(*m).Seconds(), 'f', -1, 64)
}

// Type is what the help calls the value.
func (m *moment) Type() string { return "time" }

// Set reads the value.
func (m *moment) Set(text string) error {
	d, err := time.ParseDuration(text)
	if v, no := strconv.ParseFloat(text, 64); no == nil && math.Abs(v) < 9e9 {
		d, err = time.Duration(v*1e9), nil
	}
	if err != nil {
		return fmt.Errorf("%q is not a time: write seconds, or a duration such as 36h", text)
	}
	*m = moment(d)
	return nil
}

// size is an amount of memory.
type size int64

func (s *size) String() string {
	if *s == 0 {
		return ""
	}
	return humane.Bytes(int64(*s))
}

// Type is what the help calls the value.
func (s *size) Type() string { return "size" }

// Set reads the value.
func (s *size) Set(text string) error {
	n, err := parseSize(text)
	*s = size(n)
	return err
}

// volume is a size that is reckoned with.
type volume float64

func (v *volume) String() string { return strings.ReplaceAll(humanize.IBytes(uint64(*v)), " ", "") }

// Type is what the help calls the value.
func (v *volume) Type() string { return "size" }

// Set reads the value.
func (v *volume) Set(text string) error {
	n, err := parseSize(text)
	*v = volume(n)
	return err
}

func parseSize(text string) (int64, error) {
	n, err := spec.ParseSize(text)
	if err != nil || n > 1<<60 {
		return 0, fmt.Errorf("%q is not a size: write it as 8GiB", text)
	}
	return n, nil
}

// nodes are data nodes with their capacities.
type nodes []sim.DataNode

func (n *nodes) String() string { return "" }

// Type is what the help calls the value.
func (n *nodes) Type() string { return "node" }

// Set adds a node.
func (n *nodes) Set(text string) error {
	name, rate, ok := strings.Cut(text, "=")
	capacity, err := parseSize(strings.TrimSuffix(rate, "/s"))
	if !ok || name == "" || err != nil || capacity == 0 {
		return fmt.Errorf("%q is not a data node: write NAME=100MB, its bytes per second", text)
	}
	*n = append(*n, sim.DataNode{Name: name, Capacity: float64(capacity)})
	return nil
}

// commandLine is the command as it was given, to be given again.
func commandLine(cmd *cobra.Command) string {
	line := cmd.CommandPath()
	cmd.Flags().Visit(func(f *pflag.Flag) {
		switch value := f.Value.(type) {
		case *nodes:
			for _, n := range *value {
				line += " --source " + shellword.Of(fmt.Sprintf("%s=%.0fB", n.Name, n.Capacity))
			}
		case pflag.SliceValue:
			line += " --" + f.Name + " " + shellword.Of(strings.Join(value.GetSlice(), ","))
		default:
			line += " --" + f.Name
			if text := f.Value.String(); f.Value.Type() != "bool" || text != "true" {
				line += " " + shellword.Of(text)
			}
		}
	})
	return line
}
