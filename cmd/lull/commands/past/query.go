package past

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"lull/cmd/lull/exit"
	"lull/cmd/lull/importer/prometheus"
	"lull/cmd/lull/serve/dial"
)

// query says what to ask which Prometheus server.
type query struct {
	url, text   string
	secret, ca  string // files
	host, owner string // labels
}

func (q *query) flags(f *pflag.FlagSet) {
	f.StringVar(&q.url, "prometheus", "", "URL of a Prometheus server to import from, in place of FILE")
	f.StringVar(&q.text, "query", "", "with --prometheus: PromQL that gives each host's CPU usage as a share of its cores")
	f.StringVar(&q.secret, "prometheus-token-file", "", "with --prometheus: file with a bearer token, or USER:PASSWORD")
	f.StringVar(&q.ca, "prometheus-ca", "", "with --prometheus: PEM file with the authority of the server's certificate")
	f.StringVar(&q.host, "host-label", "instance", "with --prometheus: label that names the host; a port is cut off")
	f.StringVar(&q.owner, "tenant-label", "", "with --prometheus: label that names the host's tenant")
}

// source checks the flags. A path is the file that was named, "" for none.
func (q *query) source(path string, file *source) (*prometheus.Source, error) {
	switch {
	case path != "":
		return nil, fmt.Errorf("%s and --prometheus: name one of them", path)
	case q.text == "":
		return nil, errors.New("--query is missing: the PromQL that gives each host's usage, such as " + exampleQuery)
	case file.start != "":
		return nil, errors.New("--start is for files: a Prometheus server knows the times of its samples")
	case file.tenants != "" && q.owner != "":
		return nil, errors.New("--tenants and --tenant-label: name one of them")
	case q.host == "":
		return nil, errors.New("--host-label is empty: name the label that has the host")
	}
	at, err := url.Parse(q.url)
	if err != nil || at.Scheme != "http" && at.Scheme != "https" || at.Host == "" {
		return nil, errors.New("--prometheus: give a URL such as https://prometheus.example.org:9090")
	}
	if at.User != nil {
		return nil, errors.New("--prometheus with a password in it would show that to every task on this machine (/proc/*/cmdline): " +
			"put USER:PASSWORD into a file of mode 0600 for --prometheus-token-file")
	}
	from := &prometheus.Source{URL: q.url, Query: q.text, Host: q.host, Tenant: q.owner}
	if q.ca != "" {
		if from.Roots, err = dial.Roots("--prometheus-ca", q.ca); err != nil {
			return nil, err
		}
	}
	from.Secret, err = secretIn(q.secret)
	return from, err
}

// exampleQuery is the usage of hosts by Prometheus' node exporter.
const exampleQuery = `'1 - avg by (instance) (rate(node_cpu_seconds_total{mode="idle"}[2m]))'`

// secretIn reads a file with one line, "" for none.
func secretIn(path string) (string, error) {
	if path == "" {
		return "", nil
	}
	if err := dial.CheckPrivate(path); err != nil {
		return "", err
	}
	body, err := os.ReadFile(path)
	if err != nil {
		return "", exit.With(exit.Usage, fmt.Errorf("--prometheus-token-file: %w", err))
	}
	secret := strings.TrimSpace(string(body))
	if secret == "" || strings.ContainsAny(secret, "\r\n") {
		return "", exit.With(exit.Usage, fmt.Errorf("--prometheus-token-file %s: it has to hold one line, the token or USER:PASSWORD", path))
	}
	return secret, nil
}
