package fileserver

import (
	"net/http"
	"strings"
	"testing"
)

// Headers come before the ticket, so any process that reaches the port can send them.
func TestHeadersAreBounded(t *testing.T) {
	l, err := Listen(Config{Address: "127.0.0.1:0"}, http.NotFoundHandler())
	if err != nil {
		t.Fatal(err)
	}
	go l.Serve(t.Context())
	for size, want := range map[int]int{30 << 10: http.StatusNotFound, 128 << 10: http.StatusRequestHeaderFieldsTooLarge} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, l.URL(), nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("X-Filler", strings.Repeat("x", size))
		res, err := http.DefaultTransport.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		if res.StatusCode != want {
			t.Errorf("%d bytes of headers: status %d, want %d", size, res.StatusCode, want)
		}
	}
}

// A connection that sends nothing more is closed some time.
func TestIdleConnectionsEnd(t *testing.T) {
	l, err := Listen(Config{Address: "127.0.0.1:0"}, http.NotFoundHandler())
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close() //nolint:errcheck // nothing was served
	if l.server.IdleTimeout != idlePatience || l.server.ReadHeaderTimeout != headerPatience {
		t.Errorf("it waits %v for the next request and %v for headers", l.server.IdleTimeout, l.server.ReadHeaderTimeout)
	}
}
