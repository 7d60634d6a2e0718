package fileserver

import (
	"errors"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
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
		t.Errorf("time limits of idle connections, of headers = %v, %v, want %v, %v", l.server.IdleTimeout, l.server.ReadHeaderTimeout, idlePatience, headerPatience)
	}
}

// One address that opens connections without end is refused some time, so that it uses up neither
// the agent's memory nor its descriptors.
func TestConnectionsOfOneAddressAreRefused(t *testing.T) {
	var files unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &files); err != nil || files.Cur < 4*maxPeer {
		t.Skip("needs more descriptors (ulimit -n)")
	}
	l, err := Listen(Config{Address: "127.0.0.1:0"}, http.NotFoundHandler())
	if err != nil {
		t.Fatal(err)
	}
	go l.Serve(t.Context())
	for range maxPeer {
		open(t, l)
	}
	if _, err := open(t, l).Read(make([]byte, 1)); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("the connection beyond the bound ends with %v, want it closed", err)
	}
}

// open opens a connection that is closed with the test.
func open(t *testing.T, l *Listener) net.Conn {
	t.Helper()
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(l.URL(), "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if err := conn.SetReadDeadline(time.Now().Add(headerPatience / 2)); err != nil {
		t.Fatal(err)
	}
	return conn
}
