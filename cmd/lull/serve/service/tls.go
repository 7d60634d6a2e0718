package service

import (
	"crypto/tls"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go"

	"lull/cmd/lull/exit"
	"lull/cmd/lull/serve/dial"
	"lull/hostctl"
)

// WebTLS configures how this machine serves outputs and logs.
type WebTLS struct {
	Cert, Key string // files in PEM, "" for plain HTTP
	CA        string // file with the authority of other hosts' certificates, "" for the system's
	// Plain allows plain HTTP although NATS is reached by TLS.
	Plain bool
}

// Check returns a usage error if the flags do not fit together or other users may read the key.
func (w *WebTLS) Check() error {
	if (w.Cert == "") != (w.Key == "") {
		return exit.With(exit.Usage, errors.New("--tls-cert and --tls-key: give both"))
	}
	if w.Key == "" {
		return nil
	}
	return dial.CheckPrivate(w.Key)
}

// settle sets the certificates in the agent's configuration. It refuses to serve outputs in the clear where
// NATS is reached by TLS.
func (w *WebTLS) settle(nc *nats.Conn, advertised bool, cfg *hostctl.Config) error {
	if w.CA != "" {
		roots, err := dial.Roots("--tls-ca", w.CA)
		if err != nil {
			return err
		}
		cfg.Roots = roots
	}
	if w.Cert != "" {
		pair, err := tls.LoadX509KeyPair(w.Cert, w.Key)
		if err != nil {
			return fmt.Errorf("--tls-cert, --tls-key: %w", err)
		}
		cfg.TLS = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
		return nil
	}
	if _, err := nc.TLSConnectionState(); err == nil && advertised && !w.Plain {
		return exit.With(exit.Usage, errors.New("NATS is reached by TLS, but outputs, logs and their tickets would go over the network in the clear: "+
			"give this host a certificate with --tls-cert and --tls-key, or allow it with --plain-http"))
	}
	return nil
}
