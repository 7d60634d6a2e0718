package hosts

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"lull/cmd/lull/commands/cli"
)

// forgetting declares that hosts never come back.
type forgetting struct {
	cli.Connection
	reason string
}

func hostsForgetCommand() *cobra.Command {
	var f forgetting
	cmd := &cobra.Command{
		Use: "forget HOST…", Short: "Give up hosts that will not come back", Args: cli.ArgCount(1, cli.NoLimit),
		Long: `Give up hosts that will not come back. Their attempts end, so that their jobs
can go on or be removed, outputs that only they kept are made again, and lull
hosts no longer lists them. The slotter does this by itself after a week
(--forget-host). If a host comes back, it joins as a new one, and its reports
about earlier tasks are ignored.`,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd.Context(), cmd, args) },
	}
	cmd.ValidArgsFunction = f.CompleteHosts()
	f.Flags(cmd)
	cmd.Flags().StringVar(&f.reason, "why", "", "reason, kept in the log")
	return cmd
}

func (f *forgetting) run(ctx context.Context, cmd *cobra.Command, names []string) error {
	c, err := f.Connect(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	if err := c.Forget(ctx, f.reason, names...); err != nil {
		return asUsage(err)
	}
	for _, name := range names {
		_, _ = fmt.Fprintf(cmd.OutOrStdout(), "%s: forgotten; its attempts have ended\n", name)
	}
	return nil
}
