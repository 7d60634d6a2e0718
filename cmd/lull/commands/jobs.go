package commands

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"lull/cmd/lull/commands/humane"
	"lull/cmd/lull/commands/listing"
)

type jobs struct {
	house
	format      listing.Format
	states      []string
	queue, name string
}

func jobsCommand() *cobra.Command {
	var j jobs
	cmd := &cobra.Command{
		Use: "jobs", Short: "List jobs, newest last", Args: wants(0, 0),
		Long: `List the jobs that the pool remembers, newest last.

--output json prints an array of objects with id, name, state, type, queue,
user (whom the server vouches for), client (what the submission claims), tasks, done, running, attempts, evicted, failed, cpu_seconds and, where
they apply, submitted, ended, deadline, finish (predicted), endangered,
earliest (safe deadline of a rejected job), code, text, output.`,
		Example: `  lull jobs --state open
  lull jobs --name 'night-*' --output json | jq -r '.[].id'`,
		RunE: func(cmd *cobra.Command, _ []string) error { return j.run(cmd) },
	}
	j.flags(cmd)
	j.format.Flag(cmd)
	f := cmd.Flags()
	f.StringSliceVar(&j.states, "state", nil, "only these: submitted, admitted, finished, failed, cancelled, rejected, or open")
	f.StringVar(&j.queue, "queue", "", "only of this queue; jobs that name none are in \"default\"")
	f.StringVar(&j.name, "name", "", "only with this name; * and ? are wildcards")
	_ = cmd.RegisterFlagCompletionFunc("state", cobra.FixedCompletions(stateNames, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func (j *jobs) run(cmd *cobra.Command) error {
	keep, err := j.filter()
	if err != nil {
		return err
	}
	c, view, err := j.view(cmd.Context())
	if err != nil {
		return err
	}
	defer c.Close()
	var rows []jobRow
	for job := range view.State.Jobs().All() {
		if keep(job) {
			rows = append(rows, rowOf(job))
		}
	}
	now := time.Now()
	cells := func(r jobRow) []string { return r.cells(now) }
	none := "No jobs. Submit one: lull submit FILE"
	if n := view.State.Jobs().Len(); n > 0 {
		none = fmt.Sprintf("No job matches. There are others (%s): lull jobs", humane.Count(n, "job"))
	}
	return listing.Print(j.out(cmd), j.format, rows, jobHeader, cells, none)
}
