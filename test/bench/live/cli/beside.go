package cli

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"lull/test/bench/live/host"
	"lull/test/report"
	"lull/test/stat"
)

// work is what each task of a command line does.
type work struct {
	name, script string
	tasks        int  // as many as take some ten seconds
	prints       bool // a line each
}

// works are commands of several lengths, most of which need no CPU, as of those that wait for files or others.
var works = []work{
	{name: "true", script: "true", tasks: 3_000},
	{name: "echo", script: "echo {#}", tasks: 2_000, prints: true},
	{name: "5 ms", script: "sleep 0.005", tasks: 2_000},
	{name: "20 ms", script: "sleep 0.02", tasks: 1_000},
	{name: "100 ms", script: "sleep 0.1", tasks: 200},
}

const (
	overDocument = 1.1 // of a command line over the document of the same tasks, wall time
	overParallel = 1.0 // of lull run --each over GNU parallel
)

// program is one way to run a work.
type program struct {
	name, input string
	argv        []string
	prints      bool // what its tasks print
	took        []float64
}

// beside runs each work by GNU parallel, a document, lull run -n and lull run --each, in interleaved rounds.
func beside(ctx context.Context, r *report.Report, n effort) error {
	dir, err := os.MkdirTemp("", "lull-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a leftover in the temporary folder
	binary, err := host.Build(ctx, dir)
	if err != nil {
		return err
	}
	rival, err := exec.LookPath("parallel")
	if err != nil {
		r.Notes = append(r.Notes, "GNU parallel is not installed here: its rows are left out.")
	}
	for _, w := range works {
		w.tasks /= n.less
		programs, err := ways(dir, binary, rival, w)
		if err != nil {
			return err
		}
		for range n.rounds {
			for _, p := range programs {
				if err := p.run(ctx, w.tasks); err != nil {
					return fmt.Errorf("%s by %s: %w", w.name, p.name, err)
				}
			}
		}
		compare(r, w, n.rounds, programs)
	}
	return nil
}

// ways are the programs: the document first, and GNU parallel last if there is one.
func ways(dir, binary, rival string, w work) ([]*program, error) {
	document := filepath.Join(dir, "work.yaml")
	text := fmt.Sprintf("name: work\nstages: [{name: work, tasks: %d, command: %q}]\n", w.tasks, strings.ReplaceAll(w.script, "{#}", "$LULL_TASK"))
	if err := os.WriteFile(document, []byte(text), 0o600); err != nil {
		return nil, err
	}
	var values strings.Builder
	for i := range w.tasks {
		values.WriteString(strconv.Itoa(i) + "\n")
	}
	data := filepath.Join(dir, "data")
	all := []*program{
		{name: "lull run FILE", argv: []string{binary, "run", "--data", data, document}},
		{name: "lull run -n", argv: []string{binary, "run", "--data", data, "-n", strconv.Itoa(w.tasks), "--", w.script}, prints: w.prints},
		{name: "lull run --each", argv: []string{binary, "run", "--data", data, "--each", "-", "--", w.script + "; : {}"}, prints: w.prints, input: values.String()},
	}
	if rival != "" {
		all = append(all, &program{name: "parallel", argv: []string{rival, "--will-cite", w.script + "; : {}"}, prints: w.prints, input: values.String()})
	}
	return all, nil
}

// run notes how many seconds the program takes for so many tasks.
func (p *program) run(ctx context.Context, tasks int) error {
	cmd := exec.CommandContext(ctx, p.argv[0], p.argv[1:]...)
	cmd.Stdin = strings.NewReader(p.input)
	begin := time.Now()
	out, err := cmd.Output()
	p.took = append(p.took, time.Since(begin).Seconds())
	if err != nil {
		return err
	}
	if n := strings.Count(string(out), "\n"); p.prints && n != tasks {
		return fmt.Errorf("it printed %d lines of %d", n, tasks)
	}
	return nil
}

func compare(r *report.Report, w work, rounds int, programs []*program) {
	for _, p := range programs {
		r.Rows = append(r.Rows, report.Row{
			{Key: "what", Value: w.name + ", " + p.name}, {Key: "hosts", Value: 1}, {Key: "jobs_or_tasks", Value: w.tasks},
			{Key: "runs", Value: rounds}, {Key: "median", Value: stat.Median(p.took)}, {Key: "p99", Value: "-"}, {Key: "unit", Value: "s"},
		})
	}
	for _, p := range programs[1:3] {
		r.Checks = append(r.Checks, report.AtMost(w.name+": "+p.name+" over the document, wall time", stat.MedianRatio(p.took, programs[0].took), overDocument))
	}
	if len(programs) > 3 {
		r.Checks = append(r.Checks, report.AtMost(w.name+": lull run --each over GNU parallel, wall time", stat.MedianRatio(programs[2].took, programs[3].took), overParallel))
	}
}
