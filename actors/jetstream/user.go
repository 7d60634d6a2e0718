package jetstream

import (
	"net/url"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nats.go"

	"lull/subjects"
)

// UserOf is the user that a connection's credentials prove to the server: that of
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
		return "" // a token stands where users do
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

// Vouches reports whether the server can vouch for its users: whether it knows
// this connection by more than a token, which all who have it share.
func Vouches(nc *nats.Conn) bool {
	certified := nc.Opts.TLSConfig != nil && len(nc.Opts.TLSConfig.Certificates) > 0
	return userOf(nc) != "" || nc.Opts.Nkey != "" || certified
}
