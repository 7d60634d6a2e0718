package jobs

import (
	"fmt"
	"math"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"lull/cmd/lull/commands/cli"
	"lull/cmd/lull/commands/listing"
	"lull/cmd/lull/exit"
	"lull/cmd/lull/help"
	"lull/subjects"
	"lull/subjects/humane"
)

type jobs struct {
	cli.Connection
	format      listing.Format
	states      []string
	queue, name string
	since       string
	limit       int
	all         bool
}

func jobsCommand() *cobra.Command {
	var j jobs
	cmd := &cobra.Command{
		Use: "jobs", Short: "List jobs, newest last", Args: cli.ArgCount(0, 0),
		Long: `List jobs, newest last. A table shows the last 100; --limit and --all change that.
JSON has all.

Admission answers from its state. If no admission runs, the command reads the log.`,
		Example: `  lull jobs --state open
  lull jobs --since 12h --state failed
  lull jobs --name 'night-*' --output json | jq -r '.[].id'`,
		RunE: func(cmd *cobra.Command, _ []string) error { return j.run(cmd) },
	}
	j.Flags(cmd)
	j.format.Flag(cmd)
	help.JSON(cmd, `An array of objects, one a job:
id, name, type, queue
state           submitted, trying (a few tasks run before the verdict), admitted,
                finished, failed, cancelled or rejected
user            submitter, proven by the server
client          submitter as the message claims
tasks, done, running, cancelled, attempts, evicted, failed
cpu_seconds
submitted, ended, deadline
finish          predicted end
deadline_left_seconds  how long before its deadline a finished job ended; negative if it missed it
endangered      true while the deadline is predicted to be missed
earliest        earliest safe deadline of a rejected job
code, text      why it was rejected or failed; text of a finished one: whose results its own replaced
output          folder of its results`)
	f := cmd.Flags()
	f.StringSliceVar(&j.states, "state", nil, "only jobs in these states: submitted, trying, admitted, finished, failed, cancelled, rejected, or open")
	f.StringVar(&j.queue, "queue", "", "only jobs of this queue; jobs that name none are in \"default\"")
	f.StringVar(&j.name, "name", "", "only jobs with this name; * and ? are wildcards")
	f.StringVar(&j.since, "since", "", "only jobs submitted in this time before now, as 2h, or since a time, as 06:00 or 2026-11-21T06:00:00Z")
	f.IntVar(&j.limit, "limit", 0, "at most this many, the newest (default 100 in a table)")
	f.BoolVar(&j.all, "all", false, "all jobs that match")
	cmd.MarkFlagsMutuallyExclusive("limit", "all")
	_ = cmd.RegisterFlagCompletionFunc("state", cobra.FixedCompletions(stateNames, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func (j *jobs) run(cmd *cobra.Command) error {
	ask, err := j.asked()
	if err != nil {
		return err
	}
	if ask.Limit, err = j.most(); err != nil {
		return err
	}
	c, err := j.Connect(cmd.Context())
	if err != nil {
		return err
	}
	defer c.Close()
	answer, err := c.Jobs(cmd.Context(), ask)
	if err != nil {
		return err
	}
	return j.print(cmd, answer)
}

// tableJobs is the number of jobs in a table without --limit.
const tableJobs = 100

func (j *jobs) most() (uint32, error) {
	switch {
	case j.limit < 0 || j.limit > math.MaxInt32:
		return 0, exit.With(exit.Usage, fmt.Errorf("--limit %d: give a number from 1 on", j.limit))
	case j.limit > 0:
		return uint32(j.limit), nil
	case j.all || j.format == listing.JSON:
		return 0, nil
	}
	return tableJobs, nil
}

func (j *jobs) print(cmd *cobra.Command, answer *subjects.JobsAnswer) error {
	rows := make([]jobRow, len(answer.Jobs))
	for i := range answer.Jobs {
		rows[i] = rowOfLine(answer.Jobs[i])
	}
	now := time.Now()
	cells := func(r jobRow) []string { return r.cells(now) }
	none := "No jobs. Submit one: lull submit FILE"
	if answer.Known > 0 {
		none = fmt.Sprintf("No job matches. There are others (%s): lull jobs", humane.Count(int(answer.Known), "job"))
	}
	if err := listing.Print(j.Out(cmd), j.format, rows, jobHeader, cells, none); err != nil || j.format == listing.JSON {
		return err
	}
	if answer.Next != 0 && len(rows) > 0 {
		_, _ = fmt.Fprintf(cmd.ErrOrStderr(), "These are the newest; the pool has %s in all: --all, --limit N, --since 2h, --state open\n", humane.Count(int(answer.Known), "job"))
	}
	if waits := waitsText(answer.Memory); waits != "" {
		_, _ = fmt.Fprintln(cmd.ErrOrStderr(), waits)
	}
	return nil
}

// waitsText is a text for the user if new jobs wait for memory, else "".
func waitsText(m subjects.Memory) string {
	if !m.Full {
		return ""
	}
	return fmt.Sprintf("New jobs wait in the inbox: more than half of admission's memory is in use, %s of %s. It takes them as jobs end.",
		humanize.IBytes(m.Live), humanize.IBytes(m.Limit))
}
