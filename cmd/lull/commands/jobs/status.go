package jobs

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"lull/client"
	"lull/cmd/lull/commands/cli"
	"lull/cmd/lull/commands/listing"
	"lull/cmd/lull/exit"
	"lull/cmd/lull/help"
	"lull/subjects"
	"lull/subjects/ledger"
)

// brief is the command that sums up jobs in a word each.
type brief struct {
	cli.Connection
	format listing.Format
}

// statusRow is a job in status --output json.
type statusRow struct {
	ID     string `json:"id"`
	Status string `json:"status"`
	State  string `json:"state"` // as lull jobs shows it
}

func statusCommand() *cobra.Command {
	var s brief
	cmd := &cobra.Command{
		Use: "status [JOB]", Short: "Print the status of a job in one word, for scripts", Args: cli.ArgCount(0, 1),
		Long: `Print the status of a job in one word, and end: waiting (none of its tasks has begun
yet), running, done, failed, rejected or cancelled. JOB may be the beginning of an id.

Without JOB, print the id and the status of each open job, one a line.

Exit codes: 0 waiting, running or done, 1 there is no such job, 3 failed, 4 rejected,
5 cancelled, 6 NATS cannot be reached.`,
		Example: `  lull status wordcount-abc
  while [ "$(lull status $JOB)" = waiting ]; do sleep 10; done
  lull status`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return s.open(cmd)
			}
			return s.one(cmd, args[0])
		},
	}
	s.Flags(cmd)
	s.format.Flag(cmd)
	help.JSON(cmd, `id, status (one of the words above), and state as in lull jobs;
without JOB an array of such objects`)
	cmd.ValidArgsFunction = s.CompleteJobs()
	return cmd
}

// one prints the status of one job. A script tells an unknown job from a wrong command line by the exit code.
func (s *brief) one(cmd *cobra.Command, id string) error {
	c, err := s.Connect(cmd.Context())
	if err != nil {
		return err
	}
	defer c.Close()
	found, err := c.Job(cmd.Context(), strings.TrimSpace(id))
	if errors.Is(err, client.ErrNoJob) || errors.Is(err, client.ErrSeveral) {
		return exit.With(exit.Error, err)
	} else if err != nil {
		return err
	}
	row := statusOf(&found.JobLine)
	if s.format == listing.JSON {
		err = listing.Object(cmd.OutOrStdout(), row)
	} else {
		_, err = fmt.Fprintln(cmd.OutOrStdout(), row.Status)
	}
	if err != nil {
		return err
	}
	phase, _ := ledger.PhaseOf(found.State)
	return outcome(phase)
}

// open prints the open jobs.
func (s *brief) open(cmd *cobra.Command) error {
	c, err := s.Connect(cmd.Context())
	if err != nil {
		return err
	}
	defer c.Close()
	answer, err := c.Jobs(cmd.Context(), subjects.JobsAsk{States: []string{subjects.OpenJobs}})
	if err != nil {
		return err
	}
	rows := []statusRow{}
	for i := range answer.Jobs {
		rows = append(rows, statusOf(&answer.Jobs[i]))
	}
	out := cmd.OutOrStdout()
	if s.format == listing.JSON {
		return listing.Object(out, rows)
	}
	for _, row := range rows {
		if _, err := fmt.Fprintln(out, row.ID, row.Status); err != nil {
			return err
		}
	}
	if len(rows) == 0 {
		_, err = fmt.Fprintln(cmd.ErrOrStderr(), noneOpen)
	}
	return err
}

// noneOpen is said in place of a list of open jobs that is empty.
const noneOpen = "No job is open. lull jobs shows those that have ended."

func statusOf(line *subjects.JobLine) statusRow {
	return statusRow{ID: line.Job, Status: statusWord(line), State: line.State}
}

// statusWord sums up a job's state in a word. A job of which a task has begun runs, also between two tasks.
func statusWord(line *subjects.JobLine) string {
	switch phase, _ := ledger.PhaseOf(line.State); {
	case phase == ledger.Finished:
		return "done"
	case phase.Ended():
		return phase.String()
	case line.Running > 0 || line.Done > 0 || line.Totals.Attempts > 0:
		return "running"
	}
	return "waiting"
}
