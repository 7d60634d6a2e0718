package queues

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"lull/client"
	"lull/cmd/lull/commands/cli"
	"lull/cmd/lull/exit"
	"lull/subjects"
	"lull/subjects/spec"
)

// share is what an operator says of a queue.
type share struct {
	cli.Connection
	weight float64
	jobs   uint32
}

func queueCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "queue", Short: "Set the share of a queue", Args: cli.ArgCount(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(queueSetCommand(), queueUnsetCommand())
	for _, c := range cmd.Commands() {
		cli.UsageErrors(c)
	}
	return cmd
}

func queueSetCommand() *cobra.Command {
	var s share
	cmd := &cobra.Command{
		Use: "set NAME", Short: "Give a queue a weight, or a limit of jobs", Args: cli.ArgCount(1, 1),
		Long: `Give a queue a weight. Queues that have work share the pool by weight: its slots, and
what its tasks read. A queue without a weight counts as 1. The weight applies from now
on, until it is set again or unset.

With --jobs the queue runs at most this many of its jobs at once, in the order of
submission. Jobs of equal size then take about equally long.`,
		Example: "  lull queue set nightly --weight 0.5\n  lull queue set reports --weight 2 --jobs 1",
		RunE:    func(cmd *cobra.Command, args []string) error { return s.set(cmd, args[0]) },
	}
	s.Flags(cmd)
	cmd.Flags().Float64Var(&s.weight, "weight", 1, "the queue's weight, from 0.000001 to 1000000")
	cmd.Flags().Uint32Var(&s.jobs, "jobs", 0, "jobs of the queue that run at once; 0 for any number")
	return cmd
}

func queueUnsetCommand() *cobra.Command {
	var s share
	cmd := &cobra.Command{
		Use: "unset NAME", Short: "Remove a queue's weight and limit", Args: cli.ArgCount(1, 1),
		Long: "Remove the weight and the limit of a queue. Its weight is 1 then, as that of any other.",
		RunE: func(cmd *cobra.Command, args []string) error { return s.unset(cmd, args[0]) },
	}
	s.Flags(cmd)
	return cmd
}

func (s *share) set(cmd *cobra.Command, name string) error {
	if !(s.weight >= subjects.MinWeight && s.weight <= subjects.MaxWeight) {
		return exit.With(exit.Usage, fmt.Errorf("--weight %g: give a number from %f to %.0f", s.weight, subjects.MinWeight, subjects.MaxWeight))
	}
	if err := spec.CheckQueue(name); err != nil {
		return exit.With(exit.Usage, err)
	}
	c, view, err := s.mayChange(cmd.Context(), name)
	if err != nil {
		return err
	}
	defer c.Close()
	if err := c.Append(cmd.Context(), view.State, &subjects.Shared{Queue: name, Weight: s.weight, Jobs: s.jobs, Who: client.Who()}); err != nil {
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: weight %g%s\n", name, s.weight, s.atOnce())
	return err
}

// mayChange returns a client and the pool's state, or first of all that the key may not change a queue.
func (s *share) mayChange(ctx context.Context, name string) (*client.Client, *client.View, error) {
	return s.ViewIf(ctx, func(c *client.Client) error {
		return client.MayAppend(ctx, c, &subjects.Shared{Queue: name, Weight: 1, Who: client.Who()})
	})
}

func (s *share) atOnce() string {
	switch s.jobs {
	case 0:
		return ""
	case 1:
		return ", one job at a time"
	}
	return fmt.Sprintf(", %d jobs at a time", s.jobs)
}

func (s *share) unset(cmd *cobra.Command, name string) error {
	if err := spec.CheckQueue(name); err != nil {
		return exit.With(exit.Usage, err)
	}
	c, view, err := s.mayChange(cmd.Context(), name)
	if err != nil {
		return err
	}
	defer c.Close()
	if _, set := view.State.Queue(name); !set {
		return exit.With(exit.Usage, fmt.Errorf("queue %s has no weight or limit to remove; `lull queues` lists the queues", name))
	}
	if err := c.Append(cmd.Context(), view.State, &subjects.Shared{Queue: name, Who: client.Who()}); err != nil {
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: weight 1 (default)\n", name)
	return err
}
