package hostctl

import (
	"context"
	"crypto/rand"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"
)

// web serves outputs and logs.
type web struct {
	url, token string
	server     *http.Server
	listener   net.Listener
}

func listen(a *Agent) (*web, error) {
	l, err := net.Listen("tcp", a.cfg.Listen)
	if err != nil {
		return nil, fmt.Errorf("serve outputs: %w", err)
	}
	w := &web{url: "http://" + l.Addr().String(), token: rand.Text(), listener: l}
	if a.cfg.Advertise != "" {
		w.url = strings.TrimRight(a.cfg.Advertise, "/")
	}
	w.server = &http.Server{Handler: a.handler(w.token), ReadHeaderTimeout: headerPatience}
	return w, nil
}

// headersWithin bounds the wait for another host's answer to begin. What stalls
// later is noticed by TCP's keep-alive, after some minutes.
const headersWithin = 20 * time.Second

// newTransport is for fetching from other hosts.
func newTransport() *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.ResponseHeaderTimeout = headersWithin
	return t
}

func (w *web) serve(ctx context.Context) {
	stop := context.AfterFunc(ctx, func() { _ = w.server.Close() })
	defer stop()
	_ = w.server.Serve(w.listener) // ends with Close
}
