package serve

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"

	"github.com/nats-io/nats.go"
	"github.com/spf13/pflag"

	"lull/cmd/lull/exit"
	"lull/hostctl"
)

// WebTLS configures how this machine serves outputs and logs.
type WebTLS struct {
	Cert, Key string // files in PEM, "" for plain HTTP
	CA        string // file with the authority of other hosts' certificates, "" for the system's
	// Plain allows plain HTTP although NATS is reached by TLS.
	Plain bool
}

func (w *WebTLS) flags(f *pflag.FlagSet) {
	f.StringVar(&w.Cert, "tls-cert", "", "file with this host's certificate: outputs and logs are served by HTTPS")
	f.StringVar(&w.Key, "tls-key", "", "file with the certificate's key (mode 0600)")
	f.BoolVar(&w.Plain, "plain-http", false, "serve outputs and logs by plain HTTP although NATS is reached by TLS")
}

func (w *WebTLS) check() error {
	if (w.Cert == "") != (w.Key == "") {
		return exit.With(exit.Usage, errors.New("--tls-cert and --tls-key: give both"))
	}
	if w.Key == "" {
		return nil
	}
	return private(w.Key)
}

// settle fills in the agent's configuration. It refuses to serve outputs in the clear where
// NATS is reached by TLS.
func (w *WebTLS) settle(nc *nats.Conn, advertised bool, cfg *hostctl.Config) error {
	if w.CA != "" {
		roots, err := Roots(w.CA)
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

// Roots returns the system's certificate authorities and those of a file.
func Roots(path string) (*x509.CertPool, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, exit.With(exit.Usage, fmt.Errorf("--tls-ca: %w", err))
	}
	roots, err := x509.SystemCertPool()
	if err != nil {
		roots = x509.NewCertPool()
	}
	if !roots.AppendCertsFromPEM(text) {
		return nil, exit.With(exit.Usage, fmt.Errorf("--tls-ca %s holds no certificate in PEM", path))
	}
	return roots, nil
}
