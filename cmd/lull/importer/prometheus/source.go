package prometheus

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"time"

	"lull/subjects/history"
)

const (
	// least is the shortest time to ask for, in steps, where the server has too many samples: an hour.
	least = 30
	// tries is how often Read asks a question that a server may answer later: the connection broke, or the
	// server is busy.
	tries = 3
	// within bounds one question. Prometheus itself gives up after two minutes.
	within = 5 * time.Minute
)

// Source is a query of a server.
type Source struct {
	// URL is the server's, without /api/v1.
	URL string
	// Query is in PromQL. Its series are hosts.
	Query string
	// Secret is a bearer token, or USER:PASSWORD. Defaults to none.
	Secret string
	// Roots are the authorities that may sign the server's certificate. Defaults to the system's.
	Roots *x509.CertPool
	// Host is the label that names the host. Tenant is the one that names its tenant, "" for none.
	Host, Tenant string
	// Pause is the time between tries. Defaults to two seconds.
	Pause time.Duration
}

// Series is the usage of a host of one tenant in an answer.
type Series struct {
	Host, Tenant string
	// Labels are the labels of the series, for messages.
	Labels string
	// First is the step of the first value. Known says which steps have one.
	First  int64
	Values []float64
	Known  []bool

	busy []bool // steps for which any series of the host has a value, of this or another tenant
}

// Read asks for the steps from first on and before end. take gets the series, by time and host. An
// error says what to do about it.
func (s *Source) Read(ctx context.Context, first, end int64, take func(Series) error) error {
	client := &http.Client{Timeout: within, CheckRedirect: s.follow, Transport: &http.Transport{
		Proxy: http.ProxyFromEnvironment, TLSClientConfig: &tls.Config{RootCAs: s.Roots, MinVersion: tls.VersionTLS12},
	}}
	defer client.CloseIdleConnections()
	size := int64(history.PerDay)
	for first < end {
		to := min(end, history.DayOf(first)+int64(history.PerDay), first+size)
		answer, err := s.try(ctx, client, first, to)
		if errors.Is(err, errTooMany) && to-first > least {
			size = max((to-first)/2, least)
			continue
		}
		if err != nil {
			return fmt.Errorf("from %s to %s: %w", clock(first), clock(to), err)
		}
		if err := s.pass(answer, first, to, take); err != nil {
			return err
		}
		first = to
	}
	return nil
}

// try asks until there is an answer, or a further try is useless.
func (s *Source) try(ctx context.Context, client *http.Client, first, end int64) (answer []found, err error) {
	pause := cmp.Or(s.Pause, 2*time.Second)
	for n := range tries {
		if n > 0 {
			select {
			case <-time.After(pause):
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		if answer, err = s.ask(ctx, client, first, end); !errors.Is(err, errLater) {
			break
		}
	}
	return answer, err
}

func clock(slot int64) string { return history.TimeOf(slot).Format(time.RFC3339) }
