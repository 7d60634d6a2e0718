package inputs

import (
	"io"
	"net/http"
	"sync"
)

// limited bounds the requests under way at once, from their beginning until their answers are
// read. A request that waits has no connection.
type limited struct {
	next  transporter
	slots chan struct{}
}

// transporter is what a limited needs of an http.Transport.
type transporter interface {
	http.RoundTripper
	CloseIdleConnections()
}

func newLimited(next transporter, most int) *limited {
	return &limited{next: next, slots: make(chan struct{}, most)}
}

// RoundTrip performs a request when there is room for one more.
func (l *limited) RoundTrip(r *http.Request) (*http.Response, error) {
	select {
	case l.slots <- struct{}{}:
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
	release := sync.OnceFunc(func() { <-l.slots })
	res, err := l.next.RoundTrip(r)
	if err != nil {
		release()
		return nil, err
	}
	res.Body = &limitedBody{res.Body, release}
	return res, nil
}

// CloseIdleConnections closes the connections that no request uses.
func (l *limited) CloseIdleConnections() { l.next.CloseIdleConnections() }

// limitedBody makes room for another request when it is closed.
type limitedBody struct {
	io.ReadCloser
	release func()
}

// Close closes the answer.
func (b *limitedBody) Close() error {
	defer b.release()
	return b.ReadCloser.Close()
}
