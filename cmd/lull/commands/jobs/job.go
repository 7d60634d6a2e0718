package jobs

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"lull/client/progress"
	"lull/cmd/lull/commands/cli"
	"lull/cmd/lull/commands/draw"
	"lull/cmd/lull/commands/listing"
	"lull/cmd/lull/help"
	"lull/subjects"
	"lull/subjects/humane"
	"lull/subjects/spec"
)

type job struct {
	cli.Connection
	format listing.Format
	spec   bool
}

// stageRow is a stage in job --output json.
type stageRow struct {
	Name       string     `json:"name"`
	State      string     `json:"state"` // ledger.StageState
	Command    []string   `json:"command"`
	Tasks      int        `json:"tasks"`
	Waiting    int        `json:"waiting"`
	Running    int        `json:"running"`
	Done       int        `json:"done"`
	GivenUp    int        `json:"given_up"`
	Cancelled  int        `json:"cancelled,omitempty"`
	Evicted    uint32     `json:"evicted"`
	Failed     uint32     `json:"failed"`
	Partitions uint32     `json:"partitions,omitempty"`
	CPU        spec.Cores `json:"cpu"`
	Memory     int64      `json:"memory"`
}

// jobDetails is what job --output json prints.
type jobDetails struct {
	jobRow
	By     *subjects.Attribution `json:"by,omitempty"` // the user that cancelled it, or opened it again last
	Awaits []subjects.AwaitLine  `json:"awaits,omitempty"`
	Stages []stageRow            `json:"stages"`
	culprit
}

func jobCommand() *cobra.Command {
	var j job
	cmd := &cobra.Command{
		Use: "job JOB", Short: "Show one job and its stages", Args: cli.ArgCount(1, 1),
		Long: `Show one job: how far its stages are, when it is predicted to end, or how it ended.
JOB may be the beginning of an id.

With --spec it prints the accepted document instead: inputs are listed, and the values of
defaults: are filled in. lull validate and lull submit can read it.`,
		Example: `  lull job wordcount
  lull job wordcount-abc --spec >again.yaml`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if j.spec {
				return j.specification(cmd, args[0])
			}
			return j.run(cmd, args[0])
		},
	}
	cmd.Flags().BoolVar(&j.spec, "spec", false, "print the job's document, as YAML or with --output json as JSON")
	j.Flags(cmd)
	j.format.Flag(cmd)
	help.JSON(cmd, `The object of lull jobs, and:
by              who cancelled it or opened it again last: user, or claim if the
                server does not prove it, and why
awaits          jobs that must end before its tasks run, of each: job, and on: failed or any
                (left out: it must finish)
stages          of each: name, state (open, done, failed, skipped), command, tasks, waiting, running, done, given_up
                (no retries left), cancelled, evicted, failed, partitions, cpu, memory
task, label     of a failed job: the task that ended it, and what tells that task from others for people`)
	cmd.ValidArgsFunction = j.CompleteJobs()
	return cmd
}

func (j *job) run(cmd *cobra.Command, id string) error {
	c, err := j.Connect(cmd.Context())
	if err != nil {
		return err
	}
	defer c.Close()
	found, err := c.Job(cmd.Context(), strings.TrimSpace(id))
	if err != nil {
		return cli.JobIDError(err)
	}
	if j.format == listing.JSON {
		failure, err := failureOf(cmd.Context(), c, found)
		if err != nil {
			return err
		}
		details := detailsOf(found)
		details.culprit = culpritOf(failure)
		return listing.Object(j.Out(cmd), details)
	}
	out := j.Out(cmd)
	v := progress.From(found, time.Now())
	if at, err := c.Predicted(cmd.Context(), found.Job); err == nil && !v.Phase.Ended() {
		v.Finish = at
	}
	width := 100
	if tty, ok := cli.Terminal(cmd.OutOrStdout()); ok {
		width = cli.Columns(tty)
	}
	_, _ = fmt.Fprintln(out, draw.Render(v, width))
	if v.Phase.Ended() {
		_, _ = fmt.Fprintln(out)
		return reportEnd(cmd.Context(), c, found, form{}, out)
	}
	return j.facts(out, found)
}

func (j *job) facts(out io.Writer, found *subjects.JobDetail) error {
	_, err := fmt.Fprintf(out, "submitted by %s %s%s\n", subjects.Identity(found.User, found.Client), humane.When(humane.Unix(found.Submitted), time.Now()), queueOf(found))
	if by := found.By.By(); err == nil && by != "" {
		_, err = fmt.Fprintf(out, "opened again by %s\n", by)
	}
	return err
}

func queueOf(j *subjects.JobDetail) string {
	if j.Queue == "" {
		return ""
	}
	return " to queue " + j.Queue
}

func detailsOf(j *subjects.JobDetail) jobDetails {
	d := jobDetails{jobRow: rowOfLine(j.JobLine), By: j.By, Awaits: j.Awaits, Stages: []stageRow{}}
	for i := range j.Stages {
		s := &j.Stages[i]
		d.Stages = append(d.Stages, stageRow{
			Name: s.Name, State: s.State, Command: append([]string{}, s.Command...), Tasks: int(s.Tasks), Waiting: int(s.Waiting), Running: int(s.Running),
			Done: int(s.Done), GivenUp: int(s.Dead - min(s.Cancelled, s.Dead)), Cancelled: int(s.Cancelled), Evicted: s.Evicted, Failed: s.Failed,
			Partitions: s.Partitions, CPU: spec.CoresOf(s.CPU, s.Part), Memory: s.Memory,
		})
	}
	return d
}
