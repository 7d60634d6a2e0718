package jobs

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"lull/client"
	"lull/cmd/lull/commands/cli"
	"lull/cmd/lull/exit"
	"lull/subjects"
	"lull/subjects/ledger"
)

// request is a change that is asked of jobs: cancel or retry.
type request struct {
	cli.Connection
	why      string
	operator bool
	ask      func(*client.Client, context.Context, client.Request) (*subjects.Verdict, error)
}

func cancelCommand() *cobra.Command {
	r := &request{ask: (*client.Client).Cancel}
	cmd := r.command("cancel JOB…", "Cancel jobs: stop their running tasks and publish no results")
	cmd.ValidArgsFunction = r.CompleteJobs(subjects.OpenJobs)
	return cmd
}

func retryCommand() *cobra.Command {
	r := &request{ask: (*client.Client).Retry}
	cmd := r.command("retry JOB…", "Run failed or cancelled jobs again; tasks that are done stay done")
	cmd.ValidArgsFunction = r.CompleteJobs(ledger.Failed.String(), ledger.Cancelled.String())
	return cmd
}

func (r *request) command(use, short string) *cobra.Command {
	cmd := &cobra.Command{
		Use: use, Short: short, Args: cli.Wants(1, cli.NoLimit),
		RunE: func(cmd *cobra.Command, args []string) error { return r.run(cmd, args) },
	}
	r.Flags(cmd)
	cmd.Flags().StringVar(&r.why, "why", "", "reason, shown by lull why")
	cmd.Flags().BoolVar(&r.operator, "as-operator", false, "change jobs of other users; the server has to allow that for this key")
	return cmd
}

func (r *request) run(cmd *cobra.Command, ids []string) error {
	c, view, err := r.View(cmd.Context())
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
		jobs = append(jobs, j.ID)
	}
	var all error
	for _, job := range jobs {
		all = errors.Join(all, r.one(cmd, c, job))
	}
	return all
}

func (r *request) one(cmd *cobra.Command, c *client.Client, job string) error {
	v, err := r.ask(c, cmd.Context(), client.Request{Job: job, Why: r.why, Operator: r.operator})
	switch {
	case errors.Is(err, client.ErrNoVerdict):
		_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: requested; admission has not answered yet and handles the request when it runs\n", job)
		return err
	case errors.Is(err, client.ErrRefused):
		return exit.With(exit.Error, err)
	case err != nil:
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\n", job, v.Verdict)
	return err
}
