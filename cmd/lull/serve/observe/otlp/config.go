package otlp

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"
)

// Config says where spans go, and how.
type Config struct {
	URL     string // of the collector, with its path
	Headers map[string]string
	Gzip    bool
	Timeout time.Duration // of one request
	TLS     *tls.Config   // nil: the system's certificates, no certificate of this process
}

// defaultTimeout is what the specification sets for a request.
const defaultTimeout = 10 * time.Second

// environment is where variables are looked up, as by os.Getenv.
type environment func(name string) string

// Configured reports whether the environment names a collector.
func Configured(getenv func(string) string) bool {
	_, url := environment(getenv).find("ENDPOINT")
	return url != ""
}

// ConfigFrom reads the environment's variables OTEL_EXPORTER_OTLP_*. One that is for traces alone, OTEL_EXPORTER_OTLP_TRACES_*,
// comes before one for everything. An error names the variable.
func ConfigFrom(getenv func(string) string) (Config, error) {
	env := environment(getenv)
	c := Config{Timeout: defaultTimeout}
	return c, errors.Join(env.protocol(), env.endpoint(&c), env.headers(&c), env.compression(&c), env.timeout(&c), env.tls(&c))
}

// find returns a variable's value, and its whole name.
func (env environment) find(name string) (variable, value string) {
	for _, prefix := range []string{"OTEL_EXPORTER_OTLP_TRACES_", "OTEL_EXPORTER_OTLP_"} {
		if value = strings.TrimSpace(env(prefix + name)); value != "" {
			return prefix + name, value
		}
	}
	return "OTEL_EXPORTER_OTLP_" + name, ""
}

func (env environment) protocol() error {
	variable, value := env.find("PROTOCOL")
	if value == "" || value == "http/protobuf" {
		return nil
	}
	return fmt.Errorf("%s is %q: lull sends by http/protobuf only; collectors listen for that at port 4318", variable, value)
}

// endpoint: a variable for everything names the root of the collector, one for traces their own URL.
func (env environment) endpoint(c *Config) error {
	variable, value := env.find("ENDPOINT")
	u, err := url.Parse(value)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return fmt.Errorf("%s is %q: it should be a URL like http://collector:4318", variable, value)
	}
	switch {
	case variable == "OTEL_EXPORTER_OTLP_ENDPOINT":
		u = u.JoinPath("v1", "traces")
	case u.Path == "":
		u.Path = "/"
	}
	c.URL = u.String()
	return nil
}

// headers: name=value pairs with commas between them, percent-encoded.
func (env environment) headers(c *Config) error {
	variable, list := env.find("HEADERS")
	if list == "" {
		return nil
	}
	c.Headers = map[string]string{}
	for i, pair := range strings.Split(list, ",") {
		name, value, ok := strings.Cut(pair, "=")
		value, err := url.PathUnescape(strings.TrimSpace(value))
		if name = strings.TrimSpace(name); !ok || name == "" || err != nil {
			// The text may hold a key: it is not shown.
			return fmt.Errorf("%s: part %d should be name=value, percent-encoded", variable, i+1)
		}
		c.Headers[name] = value
	}
	return nil
}

func (env environment) compression(c *Config) error {
	variable, value := env.find("COMPRESSION")
	switch value {
	case "", "none":
		return nil
	case "gzip":
		c.Gzip = true
		return nil
	}
	return fmt.Errorf("%s is %q: it should be gzip or none", variable, value)
}

func (env environment) timeout(c *Config) error {
	variable, value := env.find("TIMEOUT")
	if value == "" {
		return nil
	}
	ms, err := strconv.Atoi(value)
	if err != nil || ms <= 0 {
		return fmt.Errorf("%s is %q: it should be a number of milliseconds above 0", variable, value)
	}
	c.Timeout = time.Duration(ms) * time.Millisecond
	return nil
}

// tls reads certificates: the collector's authority, and this process's own with its key.
func (env environment) tls(c *Config) error {
	var config tls.Config
	if variable, path := env.find("CERTIFICATE"); path != "" {
		pem, err := os.ReadFile(path)
		if err != nil {
			return fmt.Errorf("%s: %w", variable, err)
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(pem) {
			return fmt.Errorf("%s: %s holds no certificate in PEM form", variable, path)
		}
		c.TLS = &config
	}
	certVariable, cert := env.find("CLIENT_CERTIFICATE")
	keyVariable, key := env.find("CLIENT_KEY")
	if cert == "" && key == "" {
		return nil
	}
	pair, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		return fmt.Errorf("%s with %s: %w", certVariable, keyVariable, err)
	}
	config.Certificates = []tls.Certificate{pair}
	c.TLS = &config
	return nil
}
