package jetstream

import (
	"context"
	"errors"
	"net/url"
	"strings"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nats.go"

	"lull/subjects"
)

// UserOf returns the user that a connection's credentials prove to the server: that of
// nats://USER:PASSWORD@server, or of a JWT. It is "" for a token, for a connection
// without credentials, and for a name that no subject can hold.
func UserOf(nc *nats.Conn) string {
	user := userOf(nc)
	if subjects.CheckToken("user", user) != nil {
		return ""
	}
	return user
}

func userOf(nc *nats.Conn) string {
	if at, err := url.Parse(nc.ConnectedUrl()); err == nil && at.User != nil {
		if _, password := at.User.Password(); password {
			return at.User.Username()
		}
		return "" // nats.go gives a token as the user
	}
	if nc.Opts.UserJWT == nil {
		return nc.Opts.User
	}
	text, err := nc.Opts.UserJWT()
	if err != nil {
		return ""
	}
	claims, err := jwt.DecodeUserClaims(text)
	if err != nil {
		return ""
	}
	return claims.Name
}

// Identified reports whether the server identifies this connection by more than a shared token: by
// a user, a JWT, a key or a certificate. Where services connect with a token, so do all other
// clients, and no name is proven.
func Identified(nc *nats.Conn) bool {
	certified := nc.Opts.TLSConfig != nil && len(nc.Opts.TLSConfig.Certificates) > 0
	return userOf(nc) != "" || nc.Opts.Nkey != "" || certified
}

// Confined reports whether the server keeps this connection from publishing under any
// user's name. False proves that it does not; true does not prove it of other keys.
//
// It publishes on a subject that looks like another user's request, but that no stream keeps and no
// subscriber receives: permissions that allow it would also allow the request. A key with an
// account of its own (see Accounts) publishes into that account, and is recognised by a subject
// that the server answers only there.
func Confined(ctx context.Context, nc *nats.Conn, pool subjects.Pool) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, directWait)
	defer cancel()
	defer nc.SetErrorHandler(nc.ErrorHandler()) // a refusal is no error here
	nc.SetErrorHandler(func(*nats.Conn, *nats.Subscription, error) {})
	probe := pool.RequestBy(subjects.RequestCancel, subjects.Nobody) + ".probe"
	if err := nc.Publish(probe, nil); err != nil {
		return false, connectionError(err)
	}
	if err := nc.FlushWithContext(ctx); err != nil { // a refusal comes before the answer to this
		return false, connectionError(err)
	}
	if err := nc.LastError(); errors.Is(err, nats.ErrPermissionViolation) && strings.Contains(err.Error(), probe) {
		return true, nil
	}
	_, err := nc.RequestWithContext(ctx, pool.API()+".STREAM.INFO."+pool.Log(), nil)
	if errors.Is(err, nats.ErrNoResponders) {
		return false, nil
	}
	return err == nil, connectionError(err)
}
