// Package dial connects to a NATS server that flags name, with secrets from files or the
// environment.
package dial

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/spf13/pflag"

	"lull/actors/jetstream"
	"lull/actors/jetstream/connect"
	"lull/cmd/lull/help"
	"lull/subjects"
)

// Server says which NATS server to use, and with which credentials.
type Server struct {
	URL   string // nats://host:port, several with commas
	Token string // "" for the one from flags and environment
	Creds string // file with a JWT and its key, "" for none
	CA    string // file with the authority of the server's certificate, "" for the system's

	secret Secret
}

// Flags adds the flags that fill s.
func (s *Server) Flags(f *pflag.FlagSet) {
	s.URL = os.Getenv("LULL_NATS")
	f.Var(&secretFreeFlag{s: &s.secret, into: &s.URL, check: refuseCredentials}, "nats", "NATS server, such as nats://host:4222 ($LULL_NATS)")
	s.secret.Flags(f, "a token or USER:PASSWORD for the server")
	f.StringVar(&s.Creds, "creds", os.Getenv("LULL_CREDS"), "NATS credentials file, with JWT and key ($LULL_CREDS)")
	f.StringVar(&s.CA, "tls-ca", "", "file with the certificate authority of the server")
	help.Connection.In(f, "nats", "token-file", "creds", "tls-ca")
}

// Files returns the files with the secrets that s was given.
func (s *Server) Files() []string {
	if s.Creds == "" {
		return s.secret.Files()
	}
	return append(s.secret.Files(), s.Creds)
}

// Options are the options of nats.go beside the URL. The error is one of the command line,
// or of a file with a secret.
func (s *Server) Options() (options []nats.Option, err error) {
	secret, err := s.secret.Read()
	if err != nil {
		return nil, err
	}
	if s.Token != "" {
		secret = s.Token // from the endpoint that was found
	}
	user, password, ok := strings.Cut(secret, ":")
	switch {
	case ok:
		options = append(options, nats.UserInfo(user, password))
	case secret != "":
		options = append(options, nats.Token(secret))
	}
	if s.Creds != "" {
		if err := CheckPrivate(s.Creds); err != nil {
			return nil, err
		}
		options = append(options, nats.UserCredentials(s.Creds))
	}
	if s.CA != "" {
		options = append(options, nats.RootCAs(s.CA))
	}
	return options, nil
}

// Dial connects once.
func (s *Server) Dial(name string) (*nats.Conn, error) {
	options, err := s.Options()
	if err != nil {
		return nil, err
	}
	return connect.Dial(cmp.Or(s.URL, nats.DefaultURL), name, "", options...)
}

// retryEvery is the pause between attempts to reach a server. Pauses grow up to refusedEvery while a
// server refuses the credentials: it logs each attempt.
const (
	retryEvery   = time.Second
	refusedEvery = 30 * time.Second
)

// pauseAfter returns the pause after an attempt that failed, given the pause before it.
func pauseAfter(err error, before time.Duration) time.Duration {
	if refused(err) {
		return min(max(2*before, retryEvery), refusedEvery)
	}
	return retryEvery
}

func refused(err error) bool {
	return errors.Is(err, nats.ErrAuthorization) || errors.Is(err, nats.ErrAuthExpired)
}

// Opener opens a pool: jetstream.Open for services, which make its streams,
// jetstream.Attach for others.
type Opener func(context.Context, *nats.Conn, subjects.Pool) (*jetstream.Bus, error)

// Open connects and opens the pool. It tries until ctx ends and logs what it waits for, once for
// each new reason: a service is often up before its server, and a host before the service that
// makes the pool.
func (s *Server) Open(ctx context.Context, name string, pool subjects.Pool, use Opener, log *slog.Logger, metrics prometheus.Registerer) (*jetstream.Bus, error) {
	logged, pause := "", time.Duration(0)
	for {
		bus, err := s.openOnce(ctx, name, pool, use)
		if err == nil {
			log.Info("connected to " + connect.Redacted(bus.Conn().ConnectedUrl()))
			logConnection(bus.Conn(), log)
			connect.Report(bus.Conn(), log, metrics)
			return bus, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if errors.Is(err, jetstream.ErrWrongKey) {
			return nil, err // the server knows the key and gives it no such right, so waiting is useless
		}
		if err.Error() != logged {
			logged = err.Error()
			remedy := ""
			if refused(err) {
				remedy = ": check --token-file or --creds"
			}
			log.Warn("waiting for NATS: " + logged + remedy + "; lull continues once the server answers")
		}
		pause = pauseAfter(err, pause)
		waitFor(ctx, pause)
	}
}

// logConnection logs when the connection is lost, and when it is back.
func logConnection(conn *nats.Conn, log *slog.Logger) {
	conn.SetDisconnectErrHandler(func(conn *nats.Conn, err error) {
		if !conn.IsClosed() {
			log.Warn("the connection to NATS is lost; trying again until it is back", "because", err)
		}
	})
	conn.SetReconnectHandler(func(conn *nats.Conn) {
		log.Info("connected again to " + connect.Redacted(conn.ConnectedUrl()))
	})
}

func (s *Server) openOnce(ctx context.Context, name string, pool subjects.Pool, use Opener) (*jetstream.Bus, error) {
	conn, err := s.dialForEver(name)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	bus, err := use(ctx, conn, pool)
	if err != nil {
		conn.Close()
		return nil, err
	}
	return bus, nil
}

// dialForEver makes a connection that survives even a server that refuses it
// for a while, as when credentials have been rotated on one side only.
func (s *Server) dialForEver(name string) (*nats.Conn, error) {
	options, err := s.Options()
	if err != nil {
		return nil, err
	}
	options = append(options, nats.IgnoreAuthErrorAbort())
	return connect.Dial(cmp.Or(s.URL, nats.DefaultURL), name, "", options...)
}

func waitFor(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
