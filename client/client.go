package client

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/user"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	upstream "github.com/nats-io/nats.go/jetstream"

	"lull/actors/jetstream"
	"lull/actors/jetstream/connect"
	"lull/client/fetch"
	"lull/subjects"
)

// ErrUnreachable says that there is no server at the address, that it refuses
// the credentials, or that it has no JetStream.
var ErrUnreachable = errors.New("NATS cannot be reached")

// Client is one connection's view of a pool. It is safe for concurrent use.
type Client struct {
	pool subjects.Pool
	nc   *nats.Conn
	js   upstream.JetStream
	bus  *jetstream.Bus

	permits permits         // what the server allows
	user    string          // the user that the connection's credentials prove, "" for none
	fetch   fetch.Client    // from hosts
	server  string          // address of the server when the client was opened
	gone    context.Context // ends, with the cause, when the client gives the server up
	abort   context.CancelCauseFunc
}

// Dial connects to the NATS server at url and opens the pool. Options identify the client:
// nats.Token, nats.UserInfo, nats.UserCredentials, and nats.RootCAs for a server with TLS. The
// error is as Open's.
func Dial(ctx context.Context, url string, pool subjects.Pool, options ...nats.Option) (*Client, error) {
	nc, err := connect.Dial(url, "client", "", options...)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnreachable, err)
	}
	return Open(ctx, nc, pool)
}

// Open uses a pool that exists, and takes over the connection: it closes it after an error, and Close closes
// it. The error is ErrUnreachable or jetstream.ErrNoPool, and says what to do, or it is the context's.
func Open(ctx context.Context, nc *nats.Conn, pool subjects.Pool) (*Client, error) {
	c := &Client{pool: pool, nc: nc, user: jetstream.UserOf(nc), server: connect.Redacted(nc.ConnectedUrl())}
	c.fetch.HTTP.Transport = transport()
	c.gone, c.abort = context.WithCancelCause(context.Background())
	if err := c.open(ctx); err != nil {
		nc.Close()
		return nil, err
	}
	return c, nil
}

// readEvery is the least time between two reads of the log: too short for a person to notice.
const readEvery = 20 * time.Millisecond

func (c *Client) open(ctx context.Context) (err error) {
	if c.js, err = upstream.New(c.nc); err != nil {
		return err
	}
	if c.bus, err = jetstream.Attach(ctx, c.nc, c.pool); err == nil {
		c.bus.SetPace(readEvery)
	}
	c.fetch.Ticket = c.ticket
	switch {
	case errors.Is(err, jetstream.ErrNoPool):
		return fmt.Errorf("%w: check --pool, or start lull there once (lull up, or lull admission), which creates it", err)
	case errors.Is(err, upstream.ErrJetStreamNotEnabled), errors.Is(err, nats.ErrNoResponders):
		return fmt.Errorf("%w: the server at %s runs without JetStream: start nats-server with -js", ErrUnreachable, connect.Redacted(c.nc.ConnectedUrl()))
	}
	return err
}

// headersWithin bounds the wait for the headers of a host's answer: its agent may be suspended.
const headersWithin = 30 * time.Second

// transport returns a transport with connections of its own, so that Close does not end connections of
// other parts of the program.
func transport() *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.ResponseHeaderTimeout = headersWithin
	return t
}

// Trust adds authorities for hosts' certificates, beside the system's own.
func (c *Client) Trust(roots *x509.CertPool) {
	t := transport()
	t.TLSClientConfig = &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}
	c.fetch.HTTP.Transport = t
}

// ticket asks a host for a ticket to its outputs and logs.
func (c *Client) ticket(ctx context.Context, host string) (subjects.TicketAnswer, error) {
	if err := c.may(ctx, c.pool.Ticket(host), "read the outputs and logs that hosts keep"); err != nil {
		return subjects.TicketAnswer{}, err
	}
	return c.bus.Ticket(ctx, c.pool.Ticket(host))
}

// Close ends the client's connections and its views.
func (c *Client) Close() {
	c.abort(nats.ErrConnectionClosed)
	c.nc.Close()
	c.fetch.HTTP.CloseIdleConnections()
}

// Pool names the pool.
func (c *Client) Pool() subjects.Pool { return c.pool }

// User is the user that the connection's credentials prove to the server, "" for none.
func (c *Client) User() string { return c.user }

// Who returns the person at this machine: user@host. Events and jobs carry it for people, as a
// claim: it proves nothing.
func Who() string {
	name := os.Getenv("USER")
	if u, err := user.Current(); err == nil {
		name = u.Username
	}
	return strings.Map(printable, name+"@"+hostname())
}

func hostname() string {
	name, err := os.Hostname()
	if err != nil {
		return "localhost"
	}
	return name
}

// printable keeps what a header may hold.
func printable(r rune) rune {
	if r <= ' ' || r >= 0x7f {
		return '-'
	}
	return r
}
