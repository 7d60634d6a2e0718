package fileserver

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"

	"lull/hostctl/moved"
)

// Config says where a Listener serves.
type Config struct {
	// Address is the address of the listening socket.
	Address string
	// Advertise is the URL under which others reach Address. "" means Address's own.
	Advertise string
	// TLS serves by HTTPS. Nil means plain HTTP.
	TLS *tls.Config
	// Moved counts what is sent. Defaults to nothing.
	Moved *moved.Counter
}

const (
	// headerPatience bounds the wait for the headers of a request.
	headerPatience = 10 * time.Second
	// idlePatience bounds the wait for the next request of a connection. Without it any process that
	// reaches the port could use up the agent's descriptors, without a ticket.
	idlePatience = time.Minute
	// maxHeaders bounds the headers of a request, in bytes. They are read before the ticket is checked.
	// The line of a request for 512 attempts takes 10 kB, and an escaped path up to 12 kB.
	maxHeaders = 64 << 10
)

// Listener is an HTTP server with an open socket.
type Listener struct {
	url    string
	server *http.Server
	socket net.Listener
}

// Listen opens the socket. Requests wait until Serve is called.
func Listen(c Config, h http.Handler) (*Listener, error) {
	socket, err := net.Listen("tcp", c.Address)
	if err != nil {
		return nil, fmt.Errorf("serve outputs: %w", err)
	}
	socket = c.Moved.Listener(newLimitedListener(socket))
	l := &Listener{url: "http://" + socket.Addr().String(), socket: socket}
	if c.TLS != nil {
		l.url, l.socket = "https://"+socket.Addr().String(), tls.NewListener(socket, c.TLS)
	}
	if c.Advertise != "" {
		l.url = strings.TrimRight(c.Advertise, "/")
	}
	l.server = &http.Server{Handler: h, ReadHeaderTimeout: headerPatience, IdleTimeout: idlePatience, MaxHeaderBytes: maxHeaders}
	return l, nil
}

// URL is where others reach the server.
func (l *Listener) URL() string { return l.url }

// Serve serves until ctx ends.
func (l *Listener) Serve(ctx context.Context) {
	stop := context.AfterFunc(ctx, func() { _ = l.server.Close() })
	defer stop()
	_ = l.server.Serve(l.socket) // ends with Close
}

// Close closes the socket: no further request is accepted.
func (l *Listener) Close() error { return l.socket.Close() }
