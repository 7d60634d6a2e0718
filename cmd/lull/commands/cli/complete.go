package cli

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"lull/client"
	"lull/subjects"
	"lull/subjects/ledger"
)

// completeWithin is how long a press of the tab key may take. If the pool cannot be reached, it completes
// nothing and prints nothing.
const completeWithin = 2 * time.Second

// Completion is a function that completes an argument.
type Completion = func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective)

// CompleteJobs completes the ids of jobs in some states, newest first; none
// stands for all.
func (to *Connection) CompleteJobs(states ...string) Completion {
	return to.Complete(func(ctx context.Context, c *client.Client, prefix string) ([]cobra.Completion, error) {
		answer, err := c.Jobs(ctx, subjects.JobsAsk{Job: prefix, States: states, Limit: completeMost})
		if err != nil {
			return nil, err
		}
		var ids []cobra.Completion
		for _, j := range slices.Backward(answer.Jobs) {
			ids = append(ids, cobra.CompletionWithDesc(j.Job, j.State))
		}
		return ids, nil
	})
}

// completeMost is the most jobs that a completion offers.
const completeMost = 1000

// Viewed lists from the ledger.
func Viewed(list func(*ledger.State) []cobra.Completion) func(context.Context, *client.Client, string) ([]cobra.Completion, error) {
	return func(ctx context.Context, c *client.Client, _ string) ([]cobra.Completion, error) {
		view, err := c.View(ctx)
		if err != nil {
			return nil, err
		}
		return list(view.State), nil
	}
}

// CompleteHosts completes the names of hosts.
func (to *Connection) CompleteHosts() Completion {
	return to.Complete(Viewed(func(s *ledger.State) []cobra.Completion {
		var names []cobra.Completion
		for _, host := range s.Hosts() {
			if host.Forgotten {
				continue
			}
			names = append(names, cobra.CompletionWithDesc(host.Name, host.State()))
		}
		return names
	}))
}

// Complete completes from a list that it asks the pool for.
func (to *Connection) Complete(list func(ctx context.Context, c *client.Client, prefix string) ([]cobra.Completion, error)) Completion {
	return func(cmd *cobra.Command, _ []string, prefix string) ([]cobra.Completion, cobra.ShellCompDirective) {
		done := make(chan []cobra.Completion, 1)
		ctx, cancel := context.WithTimeout(context.Background(), completeWithin)
		defer cancel()
		go func() {
			c, err := to.Connect(ctx)
			if err != nil {
				done <- nil
				return
			}
			defer c.Close()
			all, err := list(ctx, c, prefix)
			if err != nil {
				done <- nil
				return
			}
			done <- withPrefix(all, prefix)
		}()
		select {
		case found := <-done:
			return found, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
		case <-ctx.Done():
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
	}
}

func withPrefix(all []cobra.Completion, prefix string) []cobra.Completion {
	var some []cobra.Completion
	for _, c := range all {
		if strings.HasPrefix(c, prefix) {
			some = append(some, c)
		}
	}
	return some
}

// CompleteStages completes the stages of the job that the arguments name.
func (to *Connection) CompleteStages(cmd *cobra.Command, args []string, prefix string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return to.Complete(Viewed(func(s *ledger.State) []cobra.Completion {
		if len(args) == 0 {
			return nil
		}
		j, err := client.Find(s, args[0])
		if err != nil {
			return nil
		}
		var names []cobra.Completion
		for _, st := range j.Shape.Stages {
			names = append(names, st.Name)
		}
		return names
	}))(cmd, args, prefix)
}
