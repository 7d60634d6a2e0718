package serve

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"lull/cmd/lull/serve/folder"
)

type upFlags struct {
	common
	host   hostFlags
	memory memory
	local  LocalConfig
	secret Secret
}

func upCommand() *cobra.Command { return new(upFlags).command() }

// CheckUp says what is wrong with the flags of a `lull up` that is to be started
// later, as far as can be told before.
func CheckUp(args []string) error {
	var flags upFlags
	cmd := flags.command()
	if err := cmd.ParseFlags(args); err != nil {
		return err
	}
	if err := noArgs(cmd, cmd.Flags().Args()); err != nil {
		return err
	}
	if _, err := flags.memory.bytes(); err != nil {
		return err
	}
	_, err := flags.host.config()
	return err
}

func (u *upFlags) command() *cobra.Command {
	cmd := &cobra.Command{
		Use: "up", Short: "Run everything on this machine, and stay", Args: noArgs,
		Long: "Run an embedded NATS server, admission, slotter and this host's agent in one process.\n" +
			"It stays until SIGINT or SIGTERM; what was submitted and is not done goes on with the next start.",
		RunE: func(cmd *cobra.Command, _ []string) error { return u.run(cmd) },
	}
	cmd.Example = "  lull up\n  lull up --http 127.0.0.1:9100 --reserve-cpu 1"
	f := cmd.Flags()
	u.flags(f)
	u.host.flags(f)
	u.memory.flag(f)
	f.StringVar(&u.local.Data, "data", folder.Default(), "data folder ($LULL_DATA)")
	f.StringVar(&u.local.Listen, "listen", "127.0.0.1:0", "address of the embedded server (a free port)")
	u.secret.flags(f, "the token that clients must show, a random one without it")
	policyFlag(f, &u.local.Policy)
	modeFlag(f, &u.local.AdmissionMode)
	sourceFlag(f, &u.local.DataNodes)
	shareFlags(f, &u.local.Slotter)
	return cmd
}

func (u *upFlags) run(cmd *cobra.Command) error {
	ctx, stop := untilSignal(cmd.Context())
	defer stop()
	cfg := u.local
	host, err := u.host.config()
	if err != nil {
		return err
	}
	if cfg.Token, err = u.secret.read(); err != nil {
		return err
	}
	limit, err := u.memory.bytes()
	if err != nil {
		return err
	}
	shared, done, err := u.begin(ctx, "up", cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	defer done()
	cfg.Shared, cfg.Host = shared, host
	shared.Hold(limit)
	cfg.Memory = shared.Memory
	local, err := Start(ctx, cfg)
	if errors.Is(err, ErrTaken) {
		return fmt.Errorf("%w: `lull submit FILE` hands jobs to it; a second one needs another folder (--data)", err)
	}
	if err != nil {
		return err
	}
	stopHTTP, err := u.answerHTTP(shared, local.Healthy)
	if err != nil {
		return errors.Join(err, local.Close())
	}
	defer stopHTTP()
	shared.Log.Info("lull is up: `lull submit FILE` hands it a job, Ctrl-C stops it")
	return local.until(ctx)
}
