package shim

import (
	"flag"
	"io"
	"strconv"
	"strings"
	"time"

	"lull/hostctl/cgroup"
)

// options are the shim's command line.
type options struct {
	dir        string
	unified    string // v2 cgroup to clone tasks into
	joins      string // v1 cgroups of the tasks, separated by colons
	leaves     string // v1 cgroups for a thread that has forked a task
	freezer    string // v1 file that freezes the tasks
	oom        string // file with the line oom_kill
	background bool
	processes  uint64 // most of the tasks' user, 0 where a cgroup counts them
	fileSize   uint64 // most bytes in a file of theirs, 0 for no limit
	idle, keep time.Duration
}

// in adds where the slot's cgroups are.
func (o options) in(slot *cgroup.Slot) options {
	if slot == nil {
		return o
	}
	o.unified, o.oom, o.freezer = slot.Unified(), slot.OOMFile(), slot.Freezer()
	o.joins, o.leaves = strings.Join(slot.Joins(), ":"), strings.Join(slot.JoinsAfterFork(), ":")
	return o
}

func (o options) args() []string {
	args := []string{
		"-dir=" + o.dir, "-unified=" + o.unified, "-joins=" + o.joins, "-oom=" + o.oom,
		"-leaves=" + o.leaves, "-freezer=" + o.freezer,
		"-idle=" + o.idle.String(), "-keep=" + o.keep.String(), "-processes=" + strconv.FormatUint(o.processes, 10),
		"-filesize=" + strconv.FormatUint(o.fileSize, 10),
	}
	if o.background {
		args = append(args, "-background")
	}
	return args
}

func parseOptions(args []string, usage io.Writer) (options, error) {
	var o options
	f := flag.NewFlagSet("shim", flag.ContinueOnError)
	f.SetOutput(usage)
	f.StringVar(&o.dir, "dir", "", "the slot's folder")
	f.StringVar(&o.unified, "unified", "", "v2 cgroup to clone tasks into")
	f.StringVar(&o.joins, "joins", "", "v1 cgroups of tasks, separated by colons")
	f.StringVar(&o.leaves, "leaves", "", "v1 cgroups for a thread that has forked a task, separated by colons")
	f.StringVar(&o.freezer, "freezer", "", "v1 file that freezes the tasks")
	f.StringVar(&o.oom, "oom", "", "file whose line oom_kill counts kills for memory")
	f.BoolVar(&o.background, "background", false, "run tasks in SCHED_IDLE and autogroup nice 19")
	f.Uint64Var(&o.processes, "processes", 0, "most processes of the tasks' user, 0 for no limit")
	f.Uint64Var(&o.fileSize, "filesize", 0, "most bytes in a file of a task, 0 for no limit")
	f.DurationVar(&o.idle, "idle", time.Minute, "end when idle for this long without an agent")
	f.DurationVar(&o.keep, "keep", time.Hour, "how long to keep ends that no agent acknowledged")
	return o, f.Parse(args)
}
