package service

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"lull/actors/jetstream/embedded/embeddedtest"
	"lull/cmd/lull/exit"
	"lull/hostctl"
)

// certificate makes a self-signed certificate for loopback.
func certificate(t *testing.T) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, &template, &template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, kind string, body []byte) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: body}), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	return write("cert", "CERTIFICATE", der), write("key", "PRIVATE KEY", secret)
}

// natsWith runs a server, by TLS or not, and connects to it.
func natsWith(t *testing.T, secure *tls.Config, options ...nats.Option) *nats.Conn {
	t.Helper()
	s := embeddedtest.Plain(t, &server.Options{TLSConfig: secure, TLSTimeout: 10})
	nc, err := nats.Connect(s.ClientURL(), options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	return nc
}

func TestOutputsAreServedByTLSWhereNATSIs(t *testing.T) {
	cert, key := certificate(t)
	pair, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		t.Fatal(err)
	}
	secure := natsWith(t, &tls.Config{Certificates: []tls.Certificate{pair}}, nats.RootCAs(cert))
	plain := natsWith(t, nil)
	for _, c := range []struct {
		name       string
		web        WebTLS
		nc         *nats.Conn
		advertised bool
		refused    bool
	}{
		{"plain NATS", WebTLS{}, plain, true, false},
		{"NATS by TLS", WebTLS{}, secure, true, true},
		{"this machine alone", WebTLS{}, secure, false, false},
		{"allowed", WebTLS{Plain: true}, secure, true, false},
		{"with a certificate", WebTLS{Cert: cert, Key: key, CA: cert}, secure, true, false},
	} {
		var cfg hostctl.Config
		err := c.web.settle(c.nc, c.advertised, &cfg)
		if (err != nil) != c.refused || c.refused && (exit.Code(err) != exit.Usage || !strings.Contains(err.Error(), "--tls-cert")) {
			t.Errorf("%s: settle() = %v, want a usage error that names --tls-cert: %v", c.name, err, c.refused)
		}
		if (cfg.TLS != nil) != (c.web.Cert != "") || (cfg.Roots != nil) != (c.web.CA != "") {
			t.Errorf("%s: TLS = %v, roots = %v, want each only where its file is given", c.name, cfg.TLS, cfg.Roots)
		}
	}
	if err := (&WebTLS{Cert: cert}).Check(); exit.Code(err) != exit.Usage {
		t.Errorf("Check(a certificate without its key) = %v, want a usage error", err)
	}
	if err := os.Chmod(key, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := (&WebTLS{Cert: cert, Key: key}).Check(); err == nil || !strings.Contains(err.Error(), "chmod 600") {
		t.Errorf("Check(a key that all users may read) = %v, want an error that says chmod 600", err)
	}
	h := HostConfig{Options: hostctl.Options{Advertise: "h:7000"}, Web: WebTLS{Cert: cert, Key: key}}
	if err := h.CompleteAddress(); err != nil || h.Advertise != "https://h:7000" {
		t.Errorf("CompleteAddress() = %v, with %q advertised, want https://h:7000", err, h.Advertise)
	}
}
