package queues

import (
	"fmt"

	"github.com/spf13/cobra"

	"lull/cmd/lull/commands/cli"
	"lull/cmd/lull/commands/listing"
	"lull/cmd/lull/help"
	"lull/subjects/humane"
)

type queues struct {
	cli.Connection
	format listing.Format
}

func queuesCommand() *cobra.Command {
	var q queues
	cmd := &cobra.Command{
		Use: "queues", Short: "List queues, their shares of the pool and what they get", Args: cli.ArgCount(0, 0),
		Long: `List the queues that have jobs or a weight. A job names its queue with queue: in the
document; otherwise it is in "default". Queues that have work share the pool by
weight; what one does not use goes to the others.

  SHARE  part of the pool that the queue gets while all queues listed with jobs
         have work
  SLOTS  its part of the busy slots now
  PACE   rate to which its tasks together are limited because others compete; "-"
         for no limit
  NOW    rate at which they read now, as measured by their hosts
  READS  rate at which finished tasks of its jobs have read, on average since the
         jobs were admitted`,
		RunE: func(cmd *cobra.Command, _ []string) error { return q.run(cmd) },
	}
	q.Flags(cmd)
	q.format.Flag(cmd)
	help.JSON(cmd, `An array of objects, one a queue:
queue, weight
said            true if an operator set the weight
said_by         user, or claim if the server does not prove it
jobs_at_once    0 for any number
jobs, running   jobs; tasks
share, slots    0 to 1
pace, now, reads    bytes/s`)
	return cmd
}

func (q *queues) run(cmd *cobra.Command) error {
	c, err := q.Connect(cmd.Context())
	if err != nil {
		return err
	}
	defer c.Close()
	lines, err := c.Queues(cmd.Context())
	if err != nil {
		return err
	}
	rows := queueRows(lines)
	header := []string{"QUEUE", "WEIGHT", "SHARE", "JOBS", "TASKS", "SLOTS", "PACE", "NOW", "READS"}
	return listing.Print(q.Out(cmd), q.format, rows, header, queueRow.cells,
		"No queue has jobs or a weight. Give one a weight: lull queue set NAME --weight 2")
}

func (r queueRow) cells() []string {
	share := "-"
	if r.Jobs > 0 {
		share = part(r.Share)
	}
	jobs := fmt.Sprint(r.Jobs)
	if r.AtOnce > 0 {
		jobs += fmt.Sprintf(" (%d at once)", r.AtOnce)
	}
	return []string{r.Queue, fmt.Sprintf("%g", r.Weight), share, jobs, fmt.Sprint(r.Running), part(r.Slots), rateOr(r.Pace), rateOr(r.Now), rateOr(r.Reads)}
}

// part is a percentage that does not call a little nothing.
func part(share float64) string {
	if share > 0 && share <= 0.005 {
		return "<1%"
	}
	return humane.Percent(share)
}

func rateOr(bytes *float64) string {
	if bytes == nil {
		return "-"
	}
	return humane.Rate(*bytes)
}
