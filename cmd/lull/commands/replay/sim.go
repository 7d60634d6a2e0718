package replay

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"lull/cmd/lull/commands/cli"
	"lull/cmd/lull/commands/listing"
	"lull/cmd/lull/exit"
	"lull/cmd/lull/help"
	"lull/cmd/lull/interrupt"
	"lull/cmd/lull/simulate"
	"lull/subjects/humane"
)

// simulation is `lull sim`.
type simulation struct {
	simulate.Options
	cli.Output
	format listing.Format
	html   string
}

func simCommand() *cobra.Command {
	var s simulation
	cmd := &cobra.Command{
		Use: "sim", Short: "Simulate lull on your own monitoring data and jobs", Args: cli.ArgCount(0, 0),
		Long: `Replay the CPU usage of your hosts and a list of jobs in virtual time, with lull's own
admission, scheduler and host controllers, and compare policies: deadlines met, missed
and rejected, CPU harvested, evictions, waits and lateness. It installs and starts
nothing, and sends nothing anywhere.

--hosts is a CSV file, plain or gzipped, with percent of the whole host: either one
row a host with a column for each sample (series_id,0,300,600), or one row a sample
(series_id,t_seconds,cpu_pct). --jobs has the columns submit_s, tasks and task_seconds,
and may have name, type, deadline_s, memory_mb, cores, input_bytes, source and queue;
or it is a SWIM trace. docs/sim.md describes both.

A policy that rejected jobs runs again without admission: lull sim then lists which of
them would have been in time, and why each was rejected.`,
		Example: "  lull sim --hosts examples/sim/usage.csv --jobs examples/sim/jobs.csv --html report.html",
		RunE:    func(cmd *cobra.Command, _ []string) error { return s.run(cmd) },
	}
	s.flags(cmd)
	s.format.Flag(cmd)
	help.JSON(cmd, `An array of objects, one a policy:
policy, seeds, jobs
met, missed, rejected, without_deadline, failed, cancelled    jobs
harvested_core_hours, idle_core_hours, harvested_share
attempts, evictions
wait_p50_s, wait_p95_s, late_mean_s, late_max_s
task_hours, lost_hours
mean_moving_job_s    of jobs whose stages exchange data, from their first task on
span_s, wall_s  simulated time, and the time that the simulation took
events
rejected_for    a number for each reason
rejections      rejected jobs: seed, job, code, why, in_time_without_admission
rejected_in_time_without_admission, others_late_without_admission    jobs, of all seeds
each            the same of every seed, if there is more than one`)
	return cmd
}

func (s *simulation) run(cmd *cobra.Command) error {
	begin := time.Now()
	plan, err := simulate.Load(s.Options)
	if err != nil {
		return exit.With(exit.Usage, err)
	}
	on := interrupt.Listen(cmd.Context())
	defer on.Stop()
	html, err := newHTMLFile(s.html, s.Hosts, s.Jobs, s.Machines, s.Curves)
	if err != nil {
		return exit.With(exit.Usage, err)
	}
	defer html.discard()
	runs := plan.Runs()
	failed := s.compare(on.Asked, cmd, plan, runs)
	if failed != nil && !errors.Is(failed, context.Canceled) {
		return failed
	}
	wall := time.Since(begin)
	if len(simulate.Rows(runs)) > 0 {
		if err := html.write(plan.Report(runs, commandLine(cmd), wall)); err != nil {
			return err
		}
	}
	return cmp.Or(s.print(s.Out(cmd), plan, runs, wall), s.interrupted(cmd.ErrOrStderr(), plan, runs, failed))
}

// compare runs all, and shows on a terminal how far they are.
func (s *simulation) compare(ctx context.Context, cmd *cobra.Command, plan *simulate.Plan, runs []*simulate.Run) error {
	stop := s.follow(cmd.ErrOrStderr(), plan, runs)
	defer stop()
	return plan.Compare(ctx, runs)
}

// print writes what became of the runs that ended.
func (s *simulation) print(out io.Writer, plan *simulate.Plan, runs []*simulate.Run, wall time.Duration) error {
	rows := simulate.Rows(runs)
	err := listing.Print(out, s.format, rows, simulate.Header, simulate.Row.Cells, "No policy came to its end.")
	if err != nil || s.format == listing.JSON {
		return err
	}
	if err := s.printRejections(out, rows); err != nil {
		return err
	}
	for _, note := range slices.Concat(simulate.Moved(plan, rows), plan.Notes) {
		_, _ = fmt.Fprintln(out, note)
	}
	_, err = fmt.Fprintf(out, "%s with %s on %s, in %s.\n",
		humane.Count(len(plan.List.Jobs), "job"), humane.Count(plan.List.Tasks, "task"), humane.Count(len(plan.Pool.Hosts), "host"), humane.Span(wall))
	if s.html != "" && len(rows) > 0 {
		_, err = fmt.Fprintf(out, "Plots: %s\n", s.html)
	}
	return err
}

// printRejections writes why jobs were rejected, and which of them would have been in time.
func (s *simulation) printRejections(out io.Writer, rows []simulate.Row) error {
	var some []simulate.Rejection
	more := 0
	for i := range rows {
		list := rows[i].Rejections
		n := min(len(list), maxRejections)
		some, more = append(some, list[:n]...), more+len(list)-n
	}
	if len(some) == 0 {
		return nil
	}
	_, _ = fmt.Fprintln(out)
	if err := listing.Print(out, s.format, some, simulate.RejectionHeader, simulate.Rejection.Cells, ""); err != nil {
		return err
	}
	if more > 0 {
		_, _ = fmt.Fprintf(out, "and %d more; --output json lists all\n", more)
	}
	_, _ = fmt.Fprintln(out)
	for _, line := range simulate.Refusals(rows) {
		_, _ = fmt.Fprintln(out, line)
	}
	return nil
}

// maxRejections is how many rejected jobs of a policy are listed for people.
const maxRejections = 5

// interrupted says how far the others were.
func (s *simulation) interrupted(out io.Writer, plan *simulate.Plan, runs []*simulate.Run, cause error) error {
	if cause == nil {
		return nil
	}
	waiting := 0
	for _, r := range runs {
		switch {
		case r.Started().IsZero():
			waiting++
		case !r.Done() && r.WithoutAdmission():
			_, _ = fmt.Fprintf(out, "Interrupted: %s with seed %d ended, but its run without admission, for the rejected jobs, did not.\n", r.Policy, r.Seed)
		case !r.Done():
			_, _ = fmt.Fprintf(out, "Interrupted: %s with seed %d was at %s of %s.\n", r.Policy, r.Seed, humane.Span(r.At()), humane.Span(plan.Last()))
		}
	}
	if waiting > 0 {
		_, _ = fmt.Fprintf(out, "%s had not begun.\n", humane.Count(waiting, "run"))
	}
	return exit.With(exit.Interrupted, nil)
}
