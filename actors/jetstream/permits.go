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
// trip, even if it allows the connection nothing else. ok is false if it does not answer.
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
	// The server sends a refusal before its answer to the flush.
	if err := nc.FlushWithContext(ctx); err != nil || Forbidden(nc, userInfo) {
		return p, false
	}
	m, err := replies.NextMsgWithContext(ctx)
	if err != nil {
		return p, false
	}
	return permits(m.Data, pool)
}

// Forbidden reports whether the last error of a connection was that the server refused it the subject.
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

// MayPublish reports whether the connection may publish messages and send requests on a subject.
func (p *Permits) MayPublish(subject string) bool {
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

// MayRead reports whether the connection may read a stream of the pool.
func (p *Permits) MayRead(stream string) bool {
	if !p.OwnAccount {
		return p.MayPublish("$JS.API.DIRECT.GET." + stream)
	}
	return slices.Contains(p.rights.Read, stream)
}

// Holder returns the role and name of the key for messages to people, such as "client ann"; "" if
// the key is not known.
func (p *Permits) Holder() string {
	if !p.OwnAccount {
		return ""
	}
	return strings.TrimSpace(string(p.Key.Role) + " " + p.Key.Name)
}

// Publishers lists the roles that may publish on a subject with the keys that Accounts makes, least
// rights first.
func Publishers(pool subjects.Pool, subject string) []subjects.Role {
	return rolesThat(pool, subject, func(r subjects.Rights) bool { return publishes(r, subject) })
}

// Readers lists the roles that may read a stream of the pool, least rights first.
func Readers(pool subjects.Pool, stream string) []subjects.Role {
	return rolesThat(pool, "", func(r subjects.Rights) bool { return slices.Contains(r.Read, stream) })
}

// rolesThat lists the roles of people to which may allows it, least rights first. A role's rights depend
// on its holder's name. rolesThat tries each token of subject as the name, then "any".
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

// refuses reports whether the server refuses messages on a subject of the log. It publishes one with
// a header that expects a stream of another name, so that no stream stores it.
func refuses(ctx context.Context, nc *nats.Conn, subject string) bool {
	ctx, cancel := context.WithTimeout(ctx, userInfoWait)
	defer cancel()
	defer quiet(nc)()
	m := &nats.Msg{Subject: subject, Header: nats.Header{jetstream.ExpectedStreamHeader: {"none"}}}
	if err := nc.PublishMsg(m); err != nil {
		return false
	}
	err := nc.FlushWithContext(ctx) // the server sends a refusal before its answer to the flush
	return err == nil && Forbidden(nc, subject)
}

// quiet disables the connection's error handler, so that a refusal that is expected is not logged.
// The function that it returns enables the handler again.
func quiet(nc *nats.Conn) (loud func()) {
	before := nc.ErrorHandler()
	nc.SetErrorHandler(func(*nats.Conn, *nats.Subscription, error) {})
	return func() { nc.SetErrorHandler(before) }
}

// CheckKey returns ErrWrongKey if the server does not let the connection publish on a subject that a
// service cannot do without. It returns nil if that cannot be found out.
func CheckKey(ctx context.Context, nc *nats.Conn, pool subjects.Pool, subject, service string) error {
	if !Identified(nc) {
		return nil
	}
	p, ok := PermitsOf(ctx, nc, pool)
	if ok && p.MayPublish(subject) || !ok && !refuses(ctx, nc, subject) {
		return nil
	}
	key := "this key"
	if holder := p.Holder(); holder != "" {
		key = "the key of " + holder
	}
	return fmt.Errorf("%w: %s may not run %s: it has no right to publish on %s; give --token-file or --creds the key that lull permissions made for it", ErrWrongKey, key, service, subject)
}
