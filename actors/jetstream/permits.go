package jetstream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"lull/actors"
	"lull/subjects"
)

// Permits is what the server allows a connection.
type Permits struct {
	// Key is the key by which the server knows the connection, if Accounts gave it an account.
	Key Key
	// OwnAccount reports whether Key is known.
	OwnAccount bool

	rights      subjects.Rights
	allow, deny []string
}

const (
	userInfo     = "$SYS.REQ.USER.INFO"
	userInfoWait = time.Second
)

// PermitsOf asks the server what it allows this connection. The server answers within a round
// trip, also where it allows nothing else. ok is false if it does not answer: nothing is known then.
func PermitsOf(ctx context.Context, nc *nats.Conn, pool subjects.Pool) (p Permits, ok bool) {
	ctx, cancel := context.WithTimeout(ctx, userInfoWait)
	defer cancel()
	defer quiet(nc)()
	replies, err := nc.SubscribeSync(nc.NewInbox())
	if err != nil {
		return p, false
	}
	defer replies.Unsubscribe() //nolint:errcheck // the connection may be gone
	if err := nc.PublishRequest(userInfo, replies.Subject, nil); err != nil {
		return p, false
	}
	if err := nc.FlushWithContext(ctx); err != nil || Forbidden(nc, userInfo) { // a refusal comes before the answer to this
		return p, false
	}
	m, err := replies.NextMsgWithContext(ctx)
	if err != nil {
		return p, false
	}
	return permits(m.Data, pool)
}

// Forbidden reports whether the server's last refusal on a connection was of a subject.
func Forbidden(nc *nats.Conn, subject string) bool {
	err := nc.LastError()
	return errors.Is(err, nats.ErrPermissionViolation) && strings.Contains(err.Error(), `"`+subject+`"`)
}

// permits reads the server's answer.
func permits(answer []byte, pool subjects.Pool) (p Permits, ok bool) {
	var info struct {
		Data *struct {
			User        string `json:"user"`
			Account     string `json:"account"`
			Permissions struct {
				Publish struct {
					Allow []string `json:"allow"`
					Deny  []string `json:"deny"`
				} `json:"publish"`
			} `json:"permissions"`
		} `json:"data"`
	}
	if err := json.Unmarshal(answer, &info); err != nil || info.Data == nil {
		return p, false
	}
	p.allow, p.deny = info.Data.Permissions.Publish.Allow, info.Data.Permissions.Publish.Deny
	c := conf{pool: pool}
	for _, role := range []subjects.Role{subjects.RoleHost, subjects.RoleClient, subjects.RoleOperator, subjects.RoleDashboard} {
		k := Key{Role: role}
		if named := c.name(k) + "_"; strings.HasPrefix(info.Data.Account, named) {
			k.Name = info.Data.Account[len(named):]
		}
		rights, err := pool.Rights(role, k.Name)
		if err == nil && info.Data.Account == c.name(k) {
			p.Key, p.OwnAccount, p.rights = k, true, rights
		}
	}
	return p, true
}

// Publish reports whether the connection may publish on a subject, and ask on it.
func (p *Permits) Publish(subject string) bool {
	matches := func(pattern string) bool { return actors.Match(pattern, subject) }
	if slices.ContainsFunc(p.deny, matches) || len(p.allow) > 0 && !slices.ContainsFunc(p.allow, matches) {
		return false
	}
	return !p.OwnAccount || publishes(p.rights, subject)
}

func publishes(r subjects.Rights, subject string) bool {
	return slices.ContainsFunc(r.Publish, func(w subjects.Way) bool {
		return actors.Match(w.Subject, subject) || w.Plain != "" && actors.Match(w.Plain, subject)
	})
}

// Read reports whether the connection may read a stream of the pool.
func (p *Permits) Read(stream string) bool {
	if !p.OwnAccount {
		return p.Publish("$JS.API.DIRECT.GET." + stream)
	}
	return slices.Contains(p.rights.Read, stream)
}

// Holder is the holder of the key, for people, such as "client ann"; "" if its role is not known.
func (p *Permits) Holder() string {
	if !p.OwnAccount {
		return ""
	}
	return strings.TrimSpace(string(p.Key.Role) + " " + p.Key.Name)
}

// Publishers lists the roles that may publish on a subject by keys of Accounts, least rights first.
func Publishers(pool subjects.Pool, subject string) []subjects.Role {
	return rolesThat(pool, subject, func(r subjects.Rights) bool { return publishes(r, subject) })
}

// Readers lists the roles that may read a stream of the pool, least rights first.
func Readers(pool subjects.Pool, stream string) []subjects.Role {
	return rolesThat(pool, "", func(r subjects.Rights) bool { return slices.Contains(r.Read, stream) })
}

// rolesThat tries the rights of every role that people have keys of. Names are taken from subject.
func rolesThat(pool subjects.Pool, subject string, may func(subjects.Rights) bool) (all []subjects.Role) {
	for _, role := range []subjects.Role{subjects.RoleDashboard, subjects.RoleClient, subjects.RoleOperator} {
		for name := range strings.SplitSeq(subject, ".") {
			if r, err := pool.Rights(role, name); err == nil && may(r) {
				all = append(all, role)
				break
			}
		}
		if r, err := pool.Rights(role, "any"); err == nil && !slices.Contains(all, role) && may(r) {
			all = append(all, role)
		}
	}
	return all
}

// ErrWrongKey says that the server gives a service's key no right to do the service's work.
var ErrWrongKey = errors.New("wrong key")

// refuses reports whether the server refuses messages on a subject of the log. It sends one that no
// stream keeps, because it expects another stream.
func refuses(ctx context.Context, nc *nats.Conn, subject string) bool {
	ctx, cancel := context.WithTimeout(ctx, userInfoWait)
	defer cancel()
	defer quiet(nc)()
	m := &nats.Msg{Subject: subject, Header: nats.Header{jetstream.ExpectedStreamHeader: {"none"}}}
	if err := nc.PublishMsg(m); err != nil {
		return false
	}
	err := nc.FlushWithContext(ctx) // a refusal comes before the answer to this
	return err == nil && Forbidden(nc, subject)
}

// quiet keeps refusals from the connection's error handler until the function that it returns is called.
func quiet(nc *nats.Conn) (loud func()) {
	before := nc.ErrorHandler()
	nc.SetErrorHandler(func(*nats.Conn, *nats.Subscription, error) {})
	return func() { nc.SetErrorHandler(before) }
}

// Suits returns ErrWrongKey if the server does not let the connection publish on a subject that a
// service cannot do without. It returns nil if that cannot be found out.
func Suits(ctx context.Context, nc *nats.Conn, pool subjects.Pool, subject, service string) error {
	if !Known(nc) {
		return nil
	}
	p, ok := PermitsOf(ctx, nc, pool)
	if ok && p.Publish(subject) || !ok && !refuses(ctx, nc, subject) {
		return nil
	}
	key := "this key"
	if holder := p.Holder(); holder != "" {
		key = "the key of " + holder
	}
	return fmt.Errorf("%w: %s may not run %s: it has no right to publish on %s; give --token-file or --creds the key that lull permissions made for it", ErrWrongKey, key, service, subject)
}
