// Package vouch is the flag --vouched, by which admission trusts the users' names in requests, and the
// checks that the server's permissions fit the flag.
package vouch

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strconv"

	"github.com/nats-io/nats.go"
	"github.com/spf13/pflag"

	"lull/actors/jetstream"
	"lull/cmd/lull/exit"
	"lull/subjects"
)

// Flag is --vouched, by which admission trusts the users' names in subjects. Admission cannot see what
// other keys are allowed to do, so the administrator of the server has to decide.
type Flag struct {
	On    bool
	Wrong error // set if $LULL_VOUCHED is invalid
}

// Add adds the flag; its default is $LULL_VOUCHED.
func (v *Flag) Add(f *pflag.FlagSet) {
	if text := os.Getenv("LULL_VOUCHED"); text != "" {
		var err error
		if v.On, err = strconv.ParseBool(text); err != nil {
			v.Wrong = exit.With(exit.Usage, fmt.Errorf("$LULL_VOUCHED is %q: use true or false", text))
		}
	}
	f.BoolVar(&v.On, "vouched", v.On, "the server's permissions fix each key's user (lull permissions): believe users' names, and let only a job's user or an operator change it ($LULL_VOUCHED)")
}

// errShared refuses --vouched where all roles share one key.
var errShared = errors.New("--vouched: admission connects without a user, so the server cannot prove users: " +
	"give each role a key of its own (lull permissions), or leave --vouched out")

// Check returns an error if --vouched is set on a connection without a user, where the server cannot prove
// users. It logs a warning if the server fixes each key's user but the flag is not set.
func (v *Flag) Check(ctx context.Context, nc *nats.Conn, pool subjects.Pool, log *slog.Logger) error {
	if v.On && !jetstream.Identified(nc) {
		return exit.With(exit.Usage, errShared)
	}
	confined, err := jetstream.Confined(ctx, nc, pool)
	if err == nil && confined && !v.On {
		log.Warn(unvouched)
	}
	return nil
}

// Warnings that --vouched and the server's permissions do not fit.
const (
	unvouched = "the server's permissions seem to fix each key's user, but admission does not vouch for it: " +
		"names are shown as claimed, and every client may change every job; start lull admission with --vouched"
	unconfined = "admission vouches for users (--vouched), but this key may publish under any user's name: " +
		"give each user a key that fixes its name (lull permissions), or start lull admission without --vouched"
)

// Report checks that admission vouches for users if and only if the server proves them. If not, ok is false
// and text says what to do.
func Report(ctx context.Context, bus *jetstream.Bus, pool subjects.Pool) (text string, ok bool) {
	led, err := bus.Last(ctx, pool.Led(string(subjects.RoleAdmission), subjects.WholePool))
	if err != nil {
		return err.Error(), false
	}
	confined, err := jetstream.Confined(ctx, bus.Conn(), pool)
	if err != nil {
		return err.Error(), false
	}
	vouched := false
	if e, err := subjects.Decode(pool, led.Subject, led.Body); err == nil {
		vouched = e.(*subjects.Led).Vouched
	}
	switch {
	case vouched && !confined:
		return unconfined, false
	case confined && !vouched:
		return unvouched, false
	case vouched:
		return "the server proves each key's user, and admission vouches for it", true
	}
	return "not proven: this key allows everything, and names are claims", true
}
