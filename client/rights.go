package client

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"lull/actors/jetstream"
	"lull/subjects"
)

// ErrForbidden says that the server gives the connection's key no right to do something. The
// error's text names the right and the roles that have it.
var ErrForbidden = errors.New("this key has no right to do that")

// permits holds what the server allows the connection. The client asks for it once, at the first need.
type permits struct {
	once  sync.Once
	of    jetstream.Permits
	known bool
}

// allowed asks the server what it allows, unless all connections have the same token: their rights
// are the same, too. It returns nil if nothing is known.
func (c *Client) allowed(ctx context.Context) *jetstream.Permits {
	c.permits.once.Do(func() {
		if jetstream.Identified(c.nc) {
			c.permits.of, c.permits.known = jetstream.PermitsOf(ctx, c.nc, c.pool)
		}
	})
	if !c.permits.known {
		return nil
	}
	return &c.permits.of
}

// may returns ErrForbidden if the server gives the connection no right to publish on a subject. Where
// each key has an account of its own, the server refuses nothing: what a key without the right
// publishes stays in that account, where no service answers. act says what the message is for.
func (c *Client) may(ctx context.Context, subject, act string) error {
	if p := c.allowed(ctx); p != nil && !p.MayPublish(subject) {
		return forbidden(p, act, "to publish on "+subject, jetstream.Publishers(c.pool, subject))
	}
	return nil
}

// mayRead is may for reading a stream.
func (c *Client) mayRead(ctx context.Context, stream, act string) error {
	if p := c.allowed(ctx); p != nil && !p.MayRead(stream) {
		return forbidden(p, act, "to read the stream "+stream, jetstream.Readers(c.pool, stream))
	}
	return nil
}

// refused is may for an act that failed. It also notices the refusal of a server that does not disclose
// permissions.
func (c *Client) refused(ctx context.Context, subject, act string) error {
	if jetstream.Forbidden(c.nc, subject) {
		return forbidden(&jetstream.Permits{}, act, "to publish on "+subject, jetstream.Publishers(c.pool, subject))
	}
	return c.may(ctx, subject, act)
}

type forbiddenError struct{ text string }

func (e forbiddenError) Error() string { return e.text }

// Is makes errors.Is(err, ErrForbidden) true.
func (e forbiddenError) Is(err error) bool { return err == ErrForbidden }

func forbidden(p *jetstream.Permits, act, right string, roles []subjects.Role) error {
	key := "this key"
	if holder := p.Holder(); holder != "" {
		key = "the key of " + holder
	}
	text := fmt.Sprintf("%s may not %s: it has no right %s", key, act, right)
	if len(roles) == 0 {
		return forbiddenError{text}
	}
	names := make([]string, len(roles))
	for i, r := range roles {
		names[i] = string(r)
	}
	return forbiddenError{text + ": use a key of the role " + strings.Join(names, " or ")}
}
