package serve

import (
	"errors"

	"github.com/spf13/cobra"

	"lull/cmd/lull/interrupt"
	"lull/cmd/lull/serve/dial"
	"lull/cmd/lull/serve/flags"
	"lull/cmd/lull/serve/folder"
	"lull/cmd/lull/serve/local"
	"lull/cmd/lull/serve/service"
)

type serverFlags struct {
	flags.Common
	data, listen string
	secret       dial.Secret
}

func serverCommand() *cobra.Command {
	var s serverFlags
	cmd := &cobra.Command{
		Use: "server", Short: "Run the embedded NATS server alone", Args: flags.NoArgs,
		Long: "Run a NATS server with JetStream, configured as lull needs it: it acknowledges a message once\n" +
			"that is on the disk. Use it to run lull's services apart without a NATS server of your own.",
		RunE: func(cmd *cobra.Command, _ []string) error { return s.run(cmd) },
	}
	cmd.Example = "  lull server --listen 0.0.0.0:4222 --token-file /etc/lull/token"
	f := cmd.Flags()
	s.Flags(f)
	f.StringVar(&s.data, "data", folder.Default(), "data folder ($LULL_DATA)")
	f.StringVar(&s.listen, "listen", "127.0.0.1:4222", "address to listen on")
	s.secret.Flags(f, "the token that clients must show (default a random one, in DATA/endpoint)")
	return cmd
}

func (s *serverFlags) run(cmd *cobra.Command) error {
	ctx, stop := interrupt.Context(cmd.Context())
	defer stop()
	shared, done, err := s.Begin(ctx, "server", cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	defer done()
	l, err := s.start(shared)
	if err != nil {
		return err
	}
	stopHTTP, err := s.ServeHTTP(shared, l.Healthy)
	if err != nil {
		return errors.Join(err, l.Close())
	}
	defer stopHTTP()
	shared.Log.Info("NATS server on " + l.Endpoint().URL)
	return l.RunUntil(ctx)
}

// start starts the server alone.
func (s *serverFlags) start(shared service.Shared) (*local.Local, error) {
	token, err := s.secret.Read()
	if err != nil {
		return nil, err
	}
	return local.OpenServer(local.Config{Shared: shared, Data: s.data, Listen: s.listen, Token: token})
}
