package jobs

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"lull/client"
	"lull/cmd/lull/commands/cli"
	"lull/cmd/lull/commands/listing"
	"lull/cmd/lull/help"
	"lull/subjects"
	"lull/subjects/humane"
	"lull/subjects/spec"
)

type plan struct {
	cli.Connection
	cli.Document
	format listing.Format
}

func planCommand() *cobra.Command {
	var p plan
	cmd := &cobra.Command{
		Use: "plan FILE", Short: "Show on which hosts a job would be placed, without submitting it", Args: cli.ArgCount(1, 1),
		Long: `Ask the placer on which hosts it would place the job of a YAML or JSON file ("-" is
stdin) now, and print them by rack, with how long the job is predicted to take there
and on the hosts that four simple rules would choose. Nothing is submitted.

  lull   the placer's choice
  RR-R   a host of each rack in turn
  RR-S   the whole of the best rack, then of the next
  H-1    the best racks, at most 20 hosts of each
  H-2    the best racks, at most 10 hosts of each

Predictions need to know what the stages give to each other: from earlier runs of the
job's type, or from gives: in the document.`,
		Example: "  lull plan sort.yaml",
		RunE:    func(cmd *cobra.Command, args []string) error { return p.run(cmd, args[0]) },
	}
	p.Flags(cmd)
	p.VariableFlags(cmd)
	p.DeadlineFlags(cmd)
	p.format.Flag(cmd)
	help.JSON(cmd, `An object: why (it is not placed), objective, racks with their hosts and
slots, rows with policy, hosts, racks, seconds, harvested_seconds and moving,
bound_seconds, evaluations, seed, hosts, left_out.`)
	return cmd
}

func (p *plan) run(cmd *cobra.Command, path string) error {
	doc, err := p.Read(path, cmd.InOrStdin())
	if err != nil {
		return err
	}
	if err := countTasks(cmd.Context(), doc, path); err != nil {
		return err
	}
	job, err := doc.Job()
	if err != nil {
		return asFileError(path, err)
	}
	if !job.Placeable() {
		why := "no stage reads another's output: nothing to place"
		if job.Moves() {
			why = "the document says place: off: nothing to place"
		}
		_, err = fmt.Fprintln(p.Out(cmd), why)
		return err
	}
	c, err := p.Connect(cmd.Context())
	if err != nil {
		return err
	}
	defer c.Close()
	answer, err := c.Plan(cmd.Context(), doc)
	if err != nil {
		return err
	}
	if answer.Why == subjects.PlacedUnknown {
		return errors.New(unknownGives(job.Type, answer.Unknown))
	}
	if p.format == listing.JSON {
		return listing.Object(cmd.OutOrStdout(), answer)
	}
	_, err = io.WriteString(p.Out(cmd), planText(answer))
	return err
}

// planOf returns the plan of the hosts on which a job would be placed, for a dry run; nil if the job would
// not be placed or no placer answers.
func planOf(cmd *cobra.Command, c *client.Client, doc *spec.Doc) *subjects.PlanAnswer {
	job, err := doc.Job()
	if err != nil || !job.Placeable() {
		return nil
	}
	answer, err := c.Plan(cmd.Context(), doc)
	if err != nil || len(answer.Rows) == 0 || answer.Why != "" {
		return nil
	}
	return answer
}

func unknownGives(jobType string, stages []string) string {
	which := "its stages give"
	if len(stages) > 0 {
		which = "stage " + strings.Join(stages, ", ") + " gives"
	}
	return fmt.Sprintf("no job of type %s has run, so it is unknown what %s to the stages that read it: write gives: there, "+
		"such as gives: 0.4 (bytes for each byte read) or gives: 64MB, or run the job once", jobType, which)
}

// planText is a plan as people read it.
func planText(a *subjects.PlanAnswer) string {
	var b strings.Builder
	switch a.Why {
	case subjects.PlacedNowhere:
		if a.Hosts+a.Left == 0 {
			return "No host takes tasks now, so the job would be placed nowhere: lull hosts shows why, and lull resume ends a pause.\n"
		}
		return fmt.Sprintf("No host with a rack has a slot for its tasks (%s looked at, %d left out: lull topology).\n", humane.Count(int(a.Hosts), "host"), a.Left)
	case subjects.PlacedLittle:
		b.WriteString("The job would not be placed, because moving data takes less than a twentieth of its time; place: fast in the document asks for it. These hosts would be the best:\n")
	case subjects.PlacedGain:
		b.WriteString("The job would not be placed, because waiting for the slots of chosen hosts might cost it more than it would gain there; place: fast in the document asks for it. These hosts would be the best:\n")
	case subjects.PlacedUnfit:
		b.WriteString("The job would not be placed, because the last predictions for its type were too far off (lull models). These hosts would be the best:\n")
	}
	if a.Why == "" {
		fmt.Fprintf(&b, "The job would be placed on %s (%s):\n", hostsOf(a), a.Objective)
	}
	for _, rack := range a.Racks {
		fmt.Fprintf(&b, "  %s: %s\n", rack.Rack, hostList(rack.Hosts))
	}
	if a.Widest > a.Slots {
		fmt.Fprintf(&b, "The widest stage has %s for %s: it runs in %s.\n", humane.Count(int(a.Widest), "task"), humane.Count(int(a.Slots), "slot"),
			humane.Count(int((a.Widest+a.Slots-1)/max(a.Slots, 1)), "wave"))
	}
	var cells [][]string
	for _, r := range a.Rows {
		cells = append(cells, []string{r.Policy, fmt.Sprint(r.Hosts), fmt.Sprint(r.Racks), humane.Seconds(r.Seconds), humane.Seconds(r.Harvested), humane.Percent(r.Moving)})
	}
	_ = listing.Print(&b, listing.Table, cells, []string{"POLICY", "HOSTS", "RACKS", "PREDICTED", "CPU TIME", "MOVING DATA"}, func(c []string) []string { return c }, "")
	if len(a.Rows) > 0 && a.Bound > 0 {
		fmt.Fprintf(&b, "No hosts can do it in less than %s: at most %s is left to gain (%d sets of hosts were tried).\n",
			humane.Seconds(a.Bound), humane.Percent(max(a.Rows[0].Seconds/a.Bound-1, 0)), a.Evaluations)
	}
	if a.Left > 0 {
		fmt.Fprintf(&b, "%s left out: lull topology says why.\n", humane.Count(int(a.Left), "host"))
	}
	return b.String()
}

func hostsOf(a *subjects.PlanAnswer) string {
	n := 0
	for i := range a.Racks {
		n += len(a.Racks[i].Hosts)
	}
	return humane.Count(n, "host")
}

// hostList names hosts with the slots that the job would use there.
func hostList(hosts []subjects.PlacedHost) string {
	const most = 12
	var names []string
	for i, h := range hosts {
		if i == most {
			names = append(names, fmt.Sprintf("and %d more", len(hosts)-most))
			break
		}
		names = append(names, fmt.Sprintf("%s (%d)", h.Host, h.Slots))
	}
	return strings.Join(names, ", ")
}
