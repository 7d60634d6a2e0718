package serve

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"

	"github.com/nats-io/nats.go"
	"github.com/spf13/pflag"

	"lull/actors/jetstream"
	"lull/cmd/lull/exit"
	"lull/subjects"
)

// vouching is the flag by which admission trusts the users in subjects. Admission cannot see
// what other keys may do, so the administrator of the server has to decide.
type vouching struct {
	on    bool
	wrong error // of $LULL_VOUCHED
}

func (v *vouching) flag(f *pflag.FlagSet) {
	if text := os.Getenv("LULL_VOUCHED"); text != "" {
		var err error
		if v.on, err = strconv.ParseBool(text); err != nil {
			v.wrong = exit.With(exit.Usage, fmt.Errorf("$LULL_VOUCHED is %q: use true or false", text))
		}
	}
	f.BoolVar(&v.on, "vouched", v.on, "the server's permissions fix each key's user (lull permissions): believe users' names, and let only a job's user or an operator change it ($LULL_VOUCHED)")
}

// errShared says that a server cannot prove users.
var errShared = errors.New("--vouched: admission connects without a user, so the server cannot prove users: " +
	"give each role a key of its own (lull permissions), or leave --vouched out")

// check returns an error if --vouched is set on a connection that cannot prove users, and
// warns if the flag does not fit the server's permissions.
func (v *vouching) check(ctx context.Context, nc *nats.Conn, s Shared) error {
	if v.on && !jetstream.Known(nc) {
		return exit.With(exit.Usage, errShared)
	}
	confined, err := jetstream.Confined(ctx, nc, s.Pool)
	if err == nil && confined && !v.on {
		s.Log.Warn(unvouched)
	}
	return nil
}

// Warnings about a pool's users.
const (
	unvouched = "the server's permissions seem to fix each key's user, but admission does not vouch for it: " +
		"names are shown as claimed, and every client may change every job; start lull admission with --vouched"
	unconfined = "admission vouches for users (--vouched), but this key may publish under any user's name: " +
		"give each user a key that fixes its name (lull permissions), or start lull admission without --vouched"
)

// users checks that admission vouches for users if and only if the server proves them.
func users(ctx context.Context, bus *jetstream.Bus, pool subjects.Pool) Check {
	const what = "users"
	led, err := bus.Last(ctx, pool.Led(string(subjects.RoleAdmission), subjects.WholePool))
	if err != nil {
		return Check{what, false, err.Error()}
	}
	confined, err := jetstream.Confined(ctx, bus.Conn(), pool)
	if err != nil {
		return Check{what, false, err.Error()}
	}
	vouched := false
	if e, err := subjects.Decode(pool, led.Subject, led.Body); err == nil {
		vouched = e.(*subjects.Led).Vouched
	}
	switch {
	case vouched && !confined:
		return Check{what, false, unconfined}
	case confined && !vouched:
		return Check{what, false, unvouched}
	case vouched:
		return Check{what, true, "the server proves each key's user, and admission vouches for it"}
	}
	return Check{what, true, "not proven: this key allows everything, and names are claims"}
}
