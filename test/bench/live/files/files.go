// Package files measures jobs of many small files.
package files

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"

	"lull/client"
	"lull/hostctl/cgroup"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
	"lull/test/bench/live/host"
	"lull/test/report"
	"lull/test/stat"
	"lull/test/tables"
)

// filesSize is a run of the files benchmark: a shuffle of maps × reduces files, and input files.
type filesSize struct{ rounds, maps, reduces, inputs int }

var (
	askedFiles filesSize // by flags
	quickFiles = filesSize{rounds: 1, maps: 20, reduces: 20, inputs: 200}
)

func (n *filesSize) flags(set *flag.FlagSet) {
	set.IntVar(&n.rounds, "rounds", 3, "measurements of each row")
	set.IntVar(&n.maps, "maps", 200, "tasks that each write a file for each reduce")
	set.IntVar(&n.reduces, "reduces", 200, "tasks that each read a file of each map")
	set.IntVar(&n.inputs, "inputs", 10_000, "input files, each read by a task")
}

// Table is the benchmark.
var Table = tables.Table{Name: "files", What: "a shuffle and many input files, beside the shell doing the same", Flags: askedFiles.flags, Run: run}

// run runs jobs of many small files beside a shell that does the same with xargs, in interleaved
// rounds: a shuffle, and one task for each of many input files.
func run(ctx context.Context, quick bool) (*report.Report, error) {
	n := askedFiles
	if quick {
		n = quickFiles
	}
	if min(n.rounds, n.maps, n.reduces, n.inputs) < 1 {
		return nil, errors.New("--rounds, --maps, --reduces and --inputs must be at least 1")
	}
	g, err := host.NewGroups()
	if err != nil {
		return nil, err
	}
	primary, err := g.Add("primary")
	if err != nil {
		return nil, err
	}
	r := &report.Report{}
	err = host.WithInstance(ctx, func(in *host.Instance, binary, dir string) error {
		f := &filing{in: in, binary: binary, dir: filepath.Join(dir, "files"), size: n}
		leave, err := f.recede(ctx)
		if err != nil {
			return err
		}
		return errors.Join(f.measure(ctx, r), leave())
	}, "--primary", primary)
	return r, errors.Join(err, g.Remove())
}

// recede makes cgroups for the shell in the class of lull's tasks, so that other load on the
// machine slows both alike.
func (f *filing) recede(ctx context.Context) (leave func() error, err error) {
	caps, err := cgroup.Detect("/")
	if err != nil {
		return nil, err
	}
	tree, err := cgroup.Open(caps, fmt.Sprintf("bench-files-%d", os.Getpid()))
	if err != nil {
		return nil, err
	}
	f.class = tree.Background()
	return func() error { return tree.Remove(context.WithoutCancel(ctx)) }, nil
}

// filing is a run of the benchmark.
type filing struct {
	in     *host.Instance
	binary string // of lull
	dir    string
	size   filesSize
	round  int
	class  cgroup.Groups // of the shell
	cpu    time.Duration // that the shell's commands used so far
}

func (f *filing) measure(ctx context.Context, r *report.Report) error {
	if err := f.makeInputs(); err != nil {
		return err
	}
	for _, work := range []struct {
		name        string
		files       int
		shell, lull func(context.Context) error
		most        float64
	}{
		{fmt.Sprintf("shuffle of %d x %d", f.size.maps, f.size.reduces), f.size.maps * f.size.reduces, f.shuffleByShell, f.shuffle, 2},
		{fmt.Sprintf("%d input files", f.size.inputs), f.size.inputs, f.countByShell, f.count, 1.2},
	} {
		var shell, lull rounds
		for range f.size.rounds {
			f.round++
			if err := shell.add(ctx, work.shell, f.shellCPU); err != nil {
				return fmt.Errorf("%s, shell: %w", work.name, err)
			}
			if err := lull.add(ctx, work.lull, f.lullCPU); err != nil {
				return fmt.Errorf("%s: %w", work.name, err)
			}
		}
		r.Rows = append(r.Rows, report.Row{
			{Key: "work", Value: work.name}, {Key: "files", Value: work.files},
			{Key: "shell_s", Value: stat.Median(shell.took)}, {Key: "lull_s", Value: stat.Median(lull.took)}, {Key: "of_shell", Value: stat.MedianRatio(lull.took, shell.took)},
			{Key: "shell_cpu_s", Value: stat.Median(shell.cpu[tasks])}, {Key: "lull_tasks_cpu_s", Value: stat.Median(lull.cpu[tasks])},
			{Key: "shims_cpu_s", Value: stat.Median(lull.cpu[shims])}, {Key: "service_cpu_s", Value: stat.Median(lull.cpu[service])},
		})
		r.Checks = append(r.Checks, report.AtMost(work.name+", lull over the shell", stat.MedianRatio(lull.took, shell.took), work.most))
	}
	r.Notes = append(r.Notes,
		"The shell runs xargs with a process a core, in the class of lull's tasks; it contains and logs nothing, and syncs once, with sync -f.")
	return nil
}

// makeInputs writes the input files, of a few lines each.
func (f *filing) makeInputs() error {
	if err := os.MkdirAll(filepath.Join(f.dir, "in"), 0o755); err != nil {
		return err
	}
	var err error
	for i := range f.size.inputs {
		text := fmt.Appendf(nil, "the %d quick brown foxes\njump over %d lazy dogs\n", i, i%7)
		err = errors.Join(err, os.WriteFile(fmt.Sprintf("%s/in/%05d", f.dir, i), text, 0o644))
	}
	// Under root, tasks run as nobody.
	return errors.Join(err, os.Chmod(filepath.Dir(f.dir), 0o755))
}

// The commands of each work, the same for lull and the shell. A map writes a file for each
// reduce.
const (
	mapCommand   = `i=0; while [ $i -lt %d ]; do echo "$LULL_TASK $i" > "$LULL_OUT/part-$i"; i=$((i+1)); done`
	countCommand = `tr -cs a-z "\n" | sort | uniq -c > "$LULL_OUT/counts"`
)

func (f *filing) sh(ctx context.Context, script string) error {
	var out bytes.Buffer
	cmd := exec.CommandContext(ctx, "sh", "-c", script)
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cgroup.Start(cmd, f.class)
	if err == nil {
		err = cmd.Wait()
		f.cpu += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	if err != nil {
		err = fmt.Errorf("%w: %s", err, out.Bytes())
	}
	return err
}

// aside is a new folder for the shell's round.
func (f *filing) aside() string { return fmt.Sprintf("%s/shell-%d", f.dir, f.round) }

func (f *filing) shuffleByShell(ctx context.Context) error {
	return f.sh(ctx, fmt.Sprintf(`set -e; mkdir -p %[1]s; cd %[1]s
		seq 0 %[2]d | xargs -P%[4]d -I{} sh -c 'export LULL_TASK={} LULL_OUT=map/{}; mkdir -p $LULL_OUT; %[5]s'
		seq 0 %[3]d | xargs -P%[4]d -I{} sh -c 'mkdir -p reduce/{}; cat map/*/part-{} > reduce/{}/all'
		sync -f .`,
		f.aside(), f.size.maps-1, f.size.reduces-1, runtime.NumCPU(), fmt.Sprintf(mapCommand, f.size.reduces)))
}

func (f *filing) shuffle(ctx context.Context) error {
	return f.job(ctx, &spec.Doc{Name: "shuffle", Stages: []spec.DocStage{
		{Name: "map", Tasks: uint32(f.size.maps), Memory: 32 << 20, Command: []string{"sh", "-c", fmt.Sprintf(mapCommand, f.size.reduces)}},
		{Name: "reduce", Tasks: uint32(f.size.reduces), Memory: 32 << 20, From: []spec.DocFrom{{Stage: "map", By: spec.ByPartition}},
			Command: []string{"sh", "-c", `cat > "$LULL_OUT/all"`}},
	}})
}

func (f *filing) countByShell(ctx context.Context) error {
	return f.sh(ctx, fmt.Sprintf(`set -e; mkdir -p %[1]s; cd %[1]s
		ls %[2]s/in | xargs -P%[3]d -I{} sh -c 'export LULL_OUT={}; mkdir $LULL_OUT; exec < %[2]s/in/{}; %[4]s'
		sync -f .`, f.aside(), f.dir, runtime.NumCPU(), countCommand))
}

func (f *filing) count(ctx context.Context) error {
	return f.job(ctx, &spec.Doc{Name: "count", Stages: []spec.DocStage{
		{Name: "count", Inputs: []string{f.dir + "/in/*"}, Memory: 32 << 20, Command: []string{"sh", "-c", countCommand}},
	}})
}

// lookEvery is the interval between questions whether a job has ended. Reading the log instead
// would take CPU from the tasks.
const lookEvery = 50 * time.Millisecond

// job submits a document and waits until admission says that the job has ended.
func (f *filing) job(ctx context.Context, doc *spec.Doc) error {
	if err := f.in.Expand(ctx, doc, f.dir); err != nil {
		return err
	}
	job, err := f.in.Submit(ctx, doc, client.NewID())
	if err != nil {
		return err
	}
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	for {
		select {
		case <-look.C:
		case <-ctx.Done():
			return ctx.Err()
		}
		answer, err := f.in.AskJobs(ctx, subjects.JobsAsk{Job: job, Whole: true})
		switch {
		case errors.Is(err, client.ErrNoAnswer): // it has much else to do
		case err != nil:
			return err
		case len(answer.Jobs) == 0 || answer.Jobs[0].Ended == 0:
		case answer.Jobs[0].State != ledger.Finished.String():
			return fmt.Errorf("job %s ended as %s", job, answer.Jobs[0].State)
		default:
			return nil
		}
	}
}
