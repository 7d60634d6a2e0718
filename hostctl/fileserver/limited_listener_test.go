package fileserver

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// crowded serves a handler with bounds, until the test ends.
func crowded(t *testing.T, h http.HandlerFunc, set func(*limitedListener)) (address string) {
	t.Helper()
	socket, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := newLimitedListener(socket)
	set(c)
	server := &http.Server{Handler: h, ReadHeaderTimeout: headerPatience}
	go server.Serve(c)                       //nolint:errcheck // ends with Close
	t.Cleanup(func() { _ = server.Close() }) // its readers are gone
	return socket.Addr().String()
}

// ask sends a request from an address of this machine, and reads no answer.
func ask(t *testing.T, from, to string) net.Conn {
	t.Helper()
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	conn, err := dialer.DialContext(t.Context(), "tcp", to)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	_, _ = io.WriteString(conn, "GET / HTTP/1.1\r\nHost: h\r\n\r\n") // it may be closed already, which the reader sees
	return conn
}

// served reports whether the request of a connection is answered.
func served(conn net.Conn) bool {
	res, err := http.ReadResponse(bufio.NewReader(conn), nil) //nolint:bodyclose // that would read all of it
	if err != nil {
		return false
	}
	_, err = io.CopyN(io.Discard, res.Body, 1<<20)
	return err == nil
}

// bottomless is a file of which no reader in these tests reaches the end.
func bottomless(t *testing.T) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 1<<40); err != nil {
		t.Fatal(err)
	}
	return path
}

// One peer that opens connections and does not read takes the places of no others. Its own next
// connection takes the place of one that has stalled.
func TestReadersThatDoNotReadAreBounded(t *testing.T) {
	path := bottomless(t)
	begun := make(chan struct{}, 10)
	file := func(w http.ResponseWriter, r *http.Request) { begun <- struct{}{}; http.ServeFile(w, r, path) }
	for name, stalled := range map[string]bool{"they may wait": false, "they have stalled": true} {
		t.Run(name, func(t *testing.T) {
			address := crowded(t, file, func(c *limitedListener) {
				c.all, c.peer, c.stall = 3, 2, time.Hour
				if stalled {
					c.stall = 0
				}
			})
			for range 2 {
				ask(t, "127.0.0.1", address)
				<-begun
			}
			other := ask(t, "127.0.0.2", address)
			if !served(other) {
				t.Error("another peer is not served, want it served")
			}
			end := time.Now().Add(10 * time.Second)
			got := served(ask(t, "127.0.0.1", address))
			for stalled && !got && time.Now().Before(end) { // the others may not have filled their buffers yet
				got = served(ask(t, "127.0.0.1", address))
			}
			if got != stalled {
				t.Errorf("a connection beyond the bound was served: %v, want %v", got, stalled)
			}
		})
	}
}

// All peers together have a bound, too, and a place is free again after its connection ended.
func TestConnectionsAreBounded(t *testing.T) {
	address := crowded(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(make([]byte, 1<<20)) }, func(c *limitedListener) {
		c.all, c.peer = 2, 2
	})
	first, second := ask(t, "127.0.0.1", address), ask(t, "127.0.0.2", address)
	if !served(first) || !served(second) {
		t.Fatal("connections within the bound are not served, want both served")
	}
	if served(ask(t, "127.0.0.3", address)) {
		t.Error("a third connection is served, want it refused")
	}
	_ = first.Close()
	for end := time.Now().Add(10 * time.Second); !served(ask(t, "127.0.0.3", address)); {
		if time.Now().After(end) {
			t.Fatal("no connection served after one ended, want its place free")
		}
	}
}

// A reader that takes nothing for long is cut off, however many places are free: it holds a file open.
func TestAReaderThatDoesNotReadIsCutOff(t *testing.T) {
	path := bottomless(t)
	for name, write := range map[string]func(http.ResponseWriter, *http.Request) error{
		"bytes": func(w http.ResponseWriter, _ *http.Request) error { _, err := io.Copy(w, zeros{}); return err },
		"a file": func(w http.ResponseWriter, _ *http.Request) error {
			f, err := os.Open(path)
			if err != nil {
				return err
			}
			defer f.Close() //nolint:errcheck // read only
			_, err = io.CopyN(w, f, 1<<40)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			ended := make(chan error, 1)
			address := crowded(t, func(w http.ResponseWriter, r *http.Request) { ended <- write(w, r) }, func(c *limitedListener) { c.patience = 20 * time.Millisecond })
			ask(t, "127.0.0.1", address)
			if err := <-ended; !errors.Is(err, os.ErrDeadlineExceeded) {
				t.Errorf("end of the answer = %v, want ErrDeadlineExceeded", err)
			}
		})
	}
}

// A handler may give its reader less time, as probes do.
func TestAHandlersDeadlineHolds(t *testing.T) {
	ended := make(chan error, 1)
	address := crowded(t, func(w http.ResponseWriter, _ *http.Request) {
		writes := http.NewResponseController(w)
		err := writes.SetWriteDeadline(time.Now().Add(20 * time.Millisecond))
		if err == nil {
			_, err = io.Copy(w, zeros{})
		}
		ended <- err
	}, func(c *limitedListener) { c.patience = time.Minute })
	ask(t, "127.0.0.1", address)
	began := time.Now()
	if err := <-ended; !errors.Is(err, os.ErrDeadlineExceeded) || time.Since(began) > 30*time.Second {
		t.Errorf("end of the answer = %v after %v, want ErrDeadlineExceeded within 30s", err, time.Since(began))
	}
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) { clear(b); return len(b), nil }
