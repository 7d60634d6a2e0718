package connect

import (
	"fmt"
	"regexp"
	"time"

	"github.com/nats-io/nats.go"
)

// Dial connects to a server at url, and again as often as the connection is
// lost. The token may be "".
func Dial(url, name, token string, options ...nats.Option) (*nats.Conn, error) {
	all := append(Options(name), options...)
	if token != "" {
		all = append(all, nats.Token(token))
	}
	nc, err := nats.Connect(url, all...)
	if err != nil {
		return nil, fmt.Errorf("connect to %s: %w", Redacted(url), err)
	}
	return nc, nil
}

var identity = regexp.MustCompile(`[^/,]*@`)

// Redacted is a list of servers for logs and messages, without users, passwords and
// tokens. (nats.go's own hides passwords, but a token stands where users do.)
func Redacted(urls string) string { return identity.ReplaceAllString(urls, "") }

// queueLength is how many messages wait for the reader of a subscription.
const queueLength = 4096

// Options are the options of a connection with this name.
func Options(name string) []nats.Option {
	return append(brokenLinks(),
		nats.Name("lull "+name),
		nats.MaxReconnects(-1),
		nats.ReconnectWait(100*time.Millisecond),
		nats.ReconnectJitter(50*time.Millisecond, 100*time.Millisecond),
		// Nothing is kept for after a reconnect: what may or may not have
		// been sent is worse than what was not.
		nats.ReconnectBufSize(-1),
		// Each query makes a subscription, and the library allocates its queue at once: half
		// a megabyte by default.
		nats.SyncQueueLen(queueLength),
		nats.ErrorHandler(quiet),
	)
}
