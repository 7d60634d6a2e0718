package jobs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"lull/client"
	"lull/cmd/lull/commands/cli"
	"lull/cmd/lull/exit"
	"lull/subjects"
	"lull/subjects/humane"
	"lull/subjects/ledger"
)

// request is a command that asks for a change of jobs: cancel or retry.
type request struct {
	cli.Connection
	why      string
	operator bool
	file     string // of job ids, "" for none, "-" for stdin
	verb     string // of the request
	refresh  refresh
	some     some // tasks to cancel
	ask      func(*client.Client, context.Context, client.Request) (*subjects.Verdict, error)
}

func cancelCommand() *cobra.Command {
	r := &request{verb: subjects.RequestCancel, ask: (*client.Client).Cancel}
	cmd := r.command("cancel JOB…", "Cancel jobs, or some of their tasks")
	cmd.Long = `Cancel jobs: their running tasks are stopped, the others do not start, and no results
are published.

With --task or --where only those tasks end, and the job goes on with the others. It
finishes without them: stages that read them read what the others wrote, and tasks that
read one of them by task are cancelled with it. They run only if lull retry is asked for
the job after its end.`
	r.some.flags(cmd)
	cmd.Example = "  lull cancel night-42 --why \"wrong input\"\n  lull cancel night-42 --task sweep/3-7,9\n  lull cancel night-42 --where lr=0.1\n  lull jobs --name 'night-*' --state open -o json | jq -r '.[].id' | lull cancel --file -"
	cmd.ValidArgsFunction = r.CompleteJobs(subjects.OpenJobs)
	return cmd
}

func retryCommand() *cobra.Command {
	r := &request{verb: subjects.RequestRetry, ask: (*client.Client).Retry}
	cmd := r.command("retry JOB…", "Run failed or cancelled jobs again; tasks that are done stay done")
	cmd.Long = `Run failed or cancelled jobs again. Tasks that are done stay done; the others run with
the document that the job was submitted with. To run a changed document, submit it as
a new job. Tasks read inputs as they were then, too, and fail if a file changed since.

With --refresh they read inputs, and sent files:, as they are now. Of what is done, only
those tasks run again that read a changed file, and those that read what these wrote.
The list of inputs stays as it was: for files that came since, or are gone, submit the
document as a new job. A changed file among files: has all tasks run again that get it.

A deadline that can no longer be kept, or only at the cost of other jobs,
does not count any more: the job then runs after those whose deadlines can be kept.

Nothing is requested if one of the jobs does not exist.`
	cmd.Example = `  lull retry wordcount-abc
  lull retry wordcount-abc --refresh    # after an input was put right
  lull jobs --since 12h --state failed -o json | jq -r '.[].id' | lull retry --file -`
	r.refresh.flags(cmd)
	cmd.ValidArgsFunction = r.CompleteJobs(ledger.Failed.String(), ledger.Cancelled.String())
	return cmd
}

func (r *request) command(use, short string) *cobra.Command {
	cmd := &cobra.Command{
		Use: use, Short: short,
		Args: func(cmd *cobra.Command, args []string) error {
			if r.file != "" {
				return nil
			}
			return cli.ArgCount(1, cli.NoLimit)(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error { return r.run(cmd, args) },
	}
	cmd.Flags().StringVar(&r.file, "file", "", "file of job ids, the first word of each line; - is stdin")
	r.Flags(cmd)
	cmd.Flags().StringVar(&r.why, "why", "", "reason, shown by lull why")
	cmd.Flags().BoolVar(&r.operator, "as-operator", false, "change jobs of other users; the server has to allow that for this key")
	return cmd
}

func (r *request) run(cmd *cobra.Command, ids []string) error {
	listed, err := listedIn(r.file, cmd.InOrStdin())
	if err != nil {
		return exit.With(exit.Usage, err)
	}
	if ids = append(ids, listed...); len(ids) == 0 {
		_, err = fmt.Fprintln(cmd.ErrOrStderr(), "No job is named: nothing to do.")
		return err
	}
	c, view, err := r.ViewIf(cmd.Context(), func(c *client.Client) error {
		return client.MayRequest(cmd.Context(), c, r.verb, r.operator)
	})
	if err != nil {
		return err
	}
	defer c.Close()
	var jobs []string
	for _, id := range ids { // all or none: a typing error in the second should not cost the first
		j, err := cli.FindIn(view, id)
		if err != nil {
			return err
		}
		if !slices.Contains(jobs, j.ID) {
			jobs = append(jobs, j.ID)
		}
	}
	var all error
	for _, job := range jobs {
		all = errors.Join(all, r.one(cmd, c, view.State, job))
	}
	return all
}

func (r *request) one(cmd *cobra.Command, c *client.Client, s *ledger.State, job string) error {
	pins, again, err := r.refresh.pins(cmd.Context(), c, s, job)
	if err != nil {
		return err
	}
	tasks, err := r.tasksOf(cmd.Context(), c, s, job)
	if err != nil {
		return exit.With(exit.Usage, fmt.Errorf("%s: %w", job, err))
	}
	v, err := r.ask(c, cmd.Context(), client.Request{Job: job, Why: r.why, Operator: r.operator, Refresh: pins, Tasks: tasks})
	switch {
	case errors.Is(err, client.ErrNoVerdict):
		_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: requested; admission has not answered yet and handles the request when it runs\n", job)
		return err
	case errors.Is(err, client.ErrRefused):
		return exit.With(exit.Error, err)
	case err != nil:
		return err
	}
	what := ""
	if tasks != nil {
		what = r.tasksText(tasks) + " "
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %s%s\n", job, what, strings.TrimSuffix(v.Verdict+"; "+v.Text, "; "))
	if again != "" {
		_, err = fmt.Fprintln(cmd.OutOrStdout(), again)
	}
	return err
}

// tasksOf returns the tasks of a job that the command names, nil for the whole job.
func (r *request) tasksOf(ctx context.Context, c *client.Client, s *ledger.State, job string) ([]subjects.StageTasks, error) {
	j := s.Job(job)
	if !r.some.named() || j == nil {
		return nil, nil
	}
	if !s.AllRead(subjects.FormatTasksCancelled) {
		return nil, errors.New("a service or host of an earlier release does not know how to cancel single tasks: upgrade it, or cancel the whole job")
	}
	shape := j.Spec()
	for i := range shape.Stages {
		if st := &shape.Stages[i]; len(r.some.where) > 0 && len(st.Vars) > 0 {
			splits, err := client.ReadSplits(ctx, c, st)
			if err != nil {
				return nil, err
			}
			st.Splits = splits
		}
	}
	return r.some.of(shape)
}

// tasksText counts tasks: "5 tasks".
func (r *request) tasksText(tasks []subjects.StageTasks) string {
	n := 0
	for _, of := range tasks {
		n += of.Count()
	}
	return humane.Count(n, "task")
}
