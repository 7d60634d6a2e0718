package hosts

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"lull/client"
	"lull/cmd/lull/commands/cli"
	"lull/cmd/lull/exit"
)

// gate is a command by which an operator pauses, drains or resumes hosts.
type gate struct {
	cli.Connection
	reason  string
	whole   bool
	done    string // what it prints of each host
	doneAll string

	hosts func(c *client.Client, ctx context.Context, why string, names ...string) error
	all   func(c *client.Client, ctx context.Context, why string) error
}

func pauseCommand() *cobra.Command {
	g := &gate{
		done: "paused; its tasks are frozen", doneAll: "paused all hosts; tasks are frozen",
		hosts: (*client.Client).Pause, all: (*client.Client).PauseAll,
	}
	cmd := g.command("pause", "Freeze tasks on hosts within a second",
		"Frozen tasks use no CPU, keep their memory, and continue with lull resume. --all pauses all hosts in\none step, and those that join later. It works without admission and slotter; it needs NATS.")
	g.reasonFlag(cmd)
	return cmd
}

func resumeCommand() *cobra.Command {
	g := &gate{
		done: "resumed", doneAll: "resumed all hosts",
		hosts: func(c *client.Client, ctx context.Context, _ string, names ...string) error {
			return c.Resume(ctx, names...)
		},
		all: func(c *client.Client, ctx context.Context, _ string) error { return c.ResumeAll(ctx) },
	}
	return g.command("resume", "Let paused or drained hosts run tasks again",
		"Frozen tasks continue where they were. --all resumes the pool and each host that was paused or drained\nby name.")
}

func drainCommand() *cobra.Command {
	g := &gate{
		done: "draining; it finishes its running tasks and gets no new ones", doneAll: "draining all hosts; running tasks finish, and no new ones start",
		hosts: (*client.Client).Drain, all: (*client.Client).DrainAll,
	}
	cmd := g.command("drain", "Let hosts finish their running tasks and give them no new ones",
		"Outputs on these hosts can still be fetched. lull hosts shows when no slot is busy any more. lull\nresume ends the draining.")
	g.reasonFlag(cmd)
	return cmd
}

func (g *gate) reasonFlag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&g.reason, "why", "", "reason, shown by lull hosts")
	cmd.Example = strings.Replace(cmd.Example, "--all", `--all --why "shop is slow"`, 1)
}

func (g *gate) command(verb, short, long string) *cobra.Command {
	cmd := &cobra.Command{
		Use: verb + " HOST… | --all", Short: short, Long: strings.TrimSpace(short + ".\n\n" + long), Args: g.args,
		RunE:              func(cmd *cobra.Command, args []string) error { return g.run(cmd, args) },
		Example:           fmt.Sprintf("  lull %[1]s host-7\n  lull %[1]s --all", verb),
		ValidArgsFunction: g.CompleteHosts(),
	}
	g.Flags(cmd)
	cmd.Flags().BoolVar(&g.whole, "all", false, "all hosts of the pool")
	return cmd
}

func (g *gate) args(_ *cobra.Command, args []string) error {
	switch {
	case g.whole && len(args) > 0:
		return fmt.Errorf("--all and %s: use one of them", strings.Join(args, " "))
	case !g.whole && len(args) == 0:
		return errors.New("HOST… is missing: name hosts, or use --all")
	}
	return nil
}

func (g *gate) run(cmd *cobra.Command, names []string) error {
	c, err := g.Connect(cmd.Context())
	if err != nil {
		return err
	}
	defer c.Close()
	if g.whole {
		if err := g.all(c, cmd.Context(), g.reason); err != nil {
			return err
		}
		_, err = fmt.Fprintln(cmd.OutOrStdout(), g.doneAll)
		return err
	}
	if err := g.hosts(c, cmd.Context(), g.reason, names...); err != nil {
		return asUsage(err)
	}
	for _, name := range names {
		_, _ = fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\n", name, g.done)
	}
	return nil
}

// asUsage gives the error for an order to a wrong host the exit code of a wrong command line.
func asUsage(err error) error {
	if errors.Is(err, client.ErrNoHost) || errors.Is(err, client.ErrHostUp) {
		return exit.With(exit.Usage, err)
	}
	return err
}
