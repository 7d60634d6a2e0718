package serve

import (
	"errors"

	"github.com/spf13/cobra"

	"lull/cmd/lull/serve/folder"
)

type serverFlags struct {
	common
	data, listen string
	secret       Secret
}

func serverCommand() *cobra.Command {
	var flags serverFlags
	cmd := &cobra.Command{
		Use: "server", Short: "Run the embedded NATS server alone", Args: noArgs,
		Long: "Run a NATS server with JetStream as lull needs it: an acknowledged message is on the disk.\n" +
			"For those who have no NATS of their own and start lull's services one by one.",
		RunE: func(cmd *cobra.Command, _ []string) error { return flags.run(cmd) },
	}
	cmd.Example = "  lull server --listen 0.0.0.0:4222 --token-file /etc/lull/token"
	f := cmd.Flags()
	flags.flags(f)
	f.StringVar(&flags.data, "data", folder.Default(), "data folder ($LULL_DATA)")
	f.StringVar(&flags.listen, "listen", "127.0.0.1:4222", "address to listen on")
	flags.secret.flags(f, "the token that clients must show, a random one without it, in DATA/endpoint")
	return cmd
}

func (s *serverFlags) run(cmd *cobra.Command) error {
	ctx, stop := untilSignal(cmd.Context())
	defer stop()
	shared, done, err := s.begin(ctx, "server", cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	defer done()
	l, err := s.start(shared, 0)
	if err != nil {
		return err
	}
	stopHTTP, err := s.answerHTTP(shared, l.Healthy)
	if err != nil {
		return errors.Join(err, l.Close())
	}
	defer stopHTTP()
	shared.Log.Info("NATS server on " + l.endpoint.URL)
	return l.until(ctx)
}

// start makes a Local without services: a server, its folder and its disk.
func (s *serverFlags) start(shared Shared, floor int64) (*Local, error) {
	token, err := s.secret.read()
	if err != nil {
		return nil, err
	}
	cfg := LocalConfig{Shared: shared, Data: s.data, Listen: s.listen, Token: token, Floor: floor}
	return open(cfg, func(*Local) error { return nil })
}
