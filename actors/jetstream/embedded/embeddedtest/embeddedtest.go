// Package embeddedtest runs NATS servers for the length of a test: lull's own, and plain ones
// with users, permissions or TLS.
//
//	server := embeddedtest.Start(t, embedded.Config{})
//	bus, err := jetstream.Open(t.Context(), embeddedtest.Conn(t, server), subjects.DefaultPool)
//
// It does not import package jetstream, so that tests inside that package can use it.
package embeddedtest

import (
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"lull/actors/jetstream/embedded"
)

// startPatience is how long a server may take to start on a machine under full load.
const startPatience = 30 * time.Second

// Start runs an embedded server. Dir defaults to a folder of the test.
func Start(t testing.TB, cfg embedded.Config) *embedded.Server {
	t.Helper()
	if cfg.Dir == "" {
		cfg.Dir = t.TempDir()
	}
	s, err := embedded.Start(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Shutdown(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// Conn connects to an embedded server. The connection is closed before the server stops.
func Conn(t testing.TB, s *embedded.Server) *nats.Conn {
	t.Helper()
	nc, err := s.Conn("test")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	return nc
}

// Plain runs a server that is not lull's own, as an operator would: users, permissions and TLS
// stand in the options. It listens on a free port of this machine unless they say another. With
// JetStream its store defaults to a folder of the test.
func Plain(t testing.TB, options *server.Options) *server.Server {
	t.Helper()
	options.NoSigs, options.NoLog = true, true
	if options.Port == 0 {
		options.Host, options.Port = "127.0.0.1", server.RANDOM_PORT
	}
	if options.JetStream && options.StoreDir == "" {
		options.StoreDir = t.TempDir()
	}
	s, err := server.NewServer(options)
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(startPatience) {
		t.Fatalf("the server did not start within %v", startPatience)
	}
	return s
}

// PlainFile is Plain with the options of a configuration file.
func PlainFile(t testing.TB, path string) *server.Server {
	t.Helper()
	options, err := server.ProcessConfigFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return Plain(t, options)
}
