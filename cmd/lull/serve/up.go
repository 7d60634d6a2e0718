package serve

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"lull/cmd/lull/help"
	"lull/cmd/lull/interrupt"
	"lull/cmd/lull/serve/dial"
	"lull/cmd/lull/serve/flags"
	"lull/cmd/lull/serve/folder"
	"lull/cmd/lull/serve/local"
	"lull/cmd/lull/shellword"
)

type upFlags struct {
	flags.Common
	host   flags.Host
	memory flags.Memory
	local  local.Config
	secret dial.Secret
}

func upCommand() *cobra.Command { return new(upFlags).command() }

// CheckUp checks the flags of a `lull up` that is to be started later, as far as that is
// possible before the start.
func CheckUp(args []string) error {
	var u upFlags
	cmd := u.command()
	if err := cmd.ParseFlags(args); err != nil {
		return err
	}
	if err := flags.NoArgs(cmd, cmd.Flags().Args()); err != nil {
		return err
	}
	if _, err := u.memory.Bytes(); err != nil {
		return err
	}
	_, err := u.host.Complete()
	return err
}

func (u *upFlags) command() *cobra.Command {
	cmd := &cobra.Command{
		Use: "up", Short: "Run all services and this host's agent in one process", Args: flags.NoArgs,
		Long: "Run an embedded NATS server, admission, slotter, classifier, placer and this host's agent in one\n" +
			"process, until SIGINT or SIGTERM. Unfinished jobs continue with the next start.",
		RunE: func(cmd *cobra.Command, _ []string) error { return u.run(cmd) },
	}
	cmd.Example = "  lull up\n  lull up --http 127.0.0.1:9100 --reserve-cpu 1"
	f := cmd.Flags()
	u.Flags(f)
	u.host.Flags(f)
	u.memory.Flag(f)
	f.StringVar(&u.local.Data, "data", folder.Default(), "folder for the log, outputs and state ($LULL_DATA)")
	f.StringVar(&u.local.Listen, "listen", "127.0.0.1:0", "address of the embedded NATS server; port 0 is any free one")
	help.Network.In(f, "listen")
	help.Host.In(f, "pool")
	u.secret.Flags(f, "the token that clients must show (default a random one)")
	help.Network.In(f, "token-file")
	flags.Policy(f, &u.local.Policy)
	flags.AdmissionMode(f, &u.local.AdmissionMode)
	flags.DataNodes(f, &u.local.DataNodes)
	flags.Queues(f, &u.local.Slotter)
	flags.Steer(f, &u.local.Slotter)
	flags.AwaitPlacer(f, &u.local.Slotter.AwaitPlacer)
	return cmd
}

func (u *upFlags) run(cmd *cobra.Command) error {
	ctx, stop := interrupt.Context(cmd.Context())
	defer stop()
	cfg := u.local
	host, err := u.host.Complete()
	if err != nil {
		return err
	}
	host.Secrets = u.secret.Files()
	if err := errors.Join(host.CheckTaskUser(cfg.Data), host.CheckSecrets(cfg.Data)); err != nil {
		return err
	}
	if cfg.Token, err = u.secret.Read(); err != nil {
		return err
	}
	limit, err := u.memory.Bytes()
	if err != nil {
		return err
	}
	shared, done, err := u.Begin(ctx, "up", cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	defer done()
	cfg.Shared, cfg.Host = shared, host
	shared.Hold(limit)
	cfg.Memory = shared.Memory
	all, err := local.Start(ctx, cfg)
	if errors.Is(err, local.ErrTaken) {
		return fmt.Errorf("%w: `%s` hands jobs to it; a second one needs another folder (--data)", err, submitTo(cfg.Data))
	}
	if err != nil {
		return err
	}
	stopHTTP, err := u.ServeHTTP(shared, all.Healthy)
	if err != nil {
		return errors.Join(err, all.Close())
	}
	defer stopHTTP()
	shared.Log.Info(fmt.Sprintf("lull is up: `%s` hands it a job, Ctrl-C stops it", submitTo(cfg.Data)))
	return all.RunUntil(ctx)
}

// submitTo is the command that hands a job to the lull of a data folder.
func submitTo(data string) string {
	if data == folder.Default() {
		return "lull submit FILE"
	}
	return "lull submit --data " + shellword.Of(data) + " FILE"
}
