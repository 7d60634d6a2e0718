package hostctl

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"lull/hostctl/fileserver"
	"lull/hostctl/kept"
	"lull/hostctl/store"
	"lull/subjects"
)

// web serves outputs and logs.
type web struct {
	url      string
	server   *http.Server
	listener net.Listener
}

func listen(a *Agent) (*web, error) {
	l, err := net.Listen("tcp", a.cfg.Listen)
	if err != nil {
		return nil, fmt.Errorf("serve outputs: %w", err)
	}
	w := &web{url: "http://" + l.Addr().String(), listener: l}
	if a.cfg.TLS != nil {
		w.url, w.listener = "https://"+l.Addr().String(), tls.NewListener(l, a.cfg.TLS)
	}
	if a.cfg.Advertise != "" {
		w.url = strings.TrimRight(a.cfg.Advertise, "/")
	}
	w.server = &http.Server{Handler: a.handler(), ReadHeaderTimeout: headerPatience}
	return w, nil
}

// issue answers requests for tickets. Other hosts ask on a subject of their own: see
// subjects.Pool.Pass.
func (a *Agent) issue(ctx context.Context) {
	var helpers sync.WaitGroup
	for _, subject := range []string{a.pool.Ticket(a.cfg.Host), a.pool.Pass(a.cfg.Host)} {
		helpers.Go(func() { a.issueOn(ctx, subject) })
	}
	helpers.Wait()
}

// issueRetry is the pause before a subscription that failed is tried again.
const issueRetry = time.Second

func (a *Agent) issueOn(ctx context.Context, subject string) {
	for ctx.Err() == nil {
		asked, err := a.cfg.Bus.Listen(ctx, subject)
		if err != nil {
			a.cfg.Logger.Warn("tickets cannot be requested yet; trying again", "subject", subject, "error", err)
			select {
			case <-time.After(issueRetry):
			case <-ctx.Done():
			}
			continue
		}
		for d := range asked {
			if d.Reply != "" {
				a.issueTo(d.Reply)
			}
		}
	}
}

func (a *Agent) issueTo(reply string) {
	ticket, until := a.tickets.Issue(time.Now())
	body, err := subjects.Marshal(subjects.TicketAnswer{Ticket: ticket, Until: until.Unix()})
	if err == nil {
		err = a.cfg.Bus.Publish(reply, body)
	}
	if err != nil {
		a.cfg.Logger.Warn("a ticket was not sent", "error", err)
	}
}

// headersWithin bounds the wait for another host's answer to begin. What stalls
// later is noticed by TCP's keep-alive, after some minutes.
const headersWithin = 20 * time.Second

// newTransport is for fetching from other hosts.
func newTransport(roots *x509.CertPool) *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	if roots != nil {
		t.TLSClientConfig = &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}
	}
	t.ResponseHeaderTimeout = headersWithin
	return t
}

func (w *web) serve(ctx context.Context) {
	stop := context.AfterFunc(ctx, func() { _ = w.server.Close() })
	defer stop()
	_ = w.server.Serve(w.listener) // ends with Close
}

// live is what the file server asks: which attempts run now, and who looks after what is kept.
type live struct {
	*kept.Keeper
	agent *Agent
}

var _ fileserver.Live = live{}

// Running returns the folder of an attempt in the agent's hands, and a channel that is closed
// when the attempt has ended.
func (l live) Running(attempt uint64) (store.Folder, <-chan struct{}, bool) {
	if r := l.agent.run(attempt); r != nil {
		return r.folder, r.done, true
	}
	return store.Folder{}, nil, false
}

func (a *Agent) handler() http.Handler {
	return fileserver.Handler(a.store, live{a.kept, a}, func(t string) bool { return a.tickets.Check(t, time.Now()) })
}
