package vouch

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/spf13/pflag"

	"lull/actors"
	"lull/actors/jetstream"
	"lull/actors/jetstream/connect"
	"lull/actors/jetstream/embedded/embeddedtest"
	"lull/admission"
	"lull/cmd/lull/exit"
	"lull/subjects"
)

func dialAs(t *testing.T, s *server.Server, options ...nats.Option) *nats.Conn {
	t.Helper()
	nc, err := connect.Dial(s.ClientURL(), "test", "", options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	return nc
}

// Admission accepts --vouched, warns or refuses it, depending on the server's permissions,
// and doctor reports the same.
func TestVouchingFitsTheServer(t *testing.T) {
	shared := embeddedtest.Plain(t, &server.Options{JetStream: true, Authorization: "secret"})
	alike := embeddedtest.Plain(t, &server.Options{JetStream: true, Users: []*server.User{{Username: "lull", Password: "p"}}})
	allow := &server.SubjectPermission{Allow: []string{"$JS.>", "lull.default.led.>"}}
	apart := embeddedtest.Plain(t, &server.Options{JetStream: true, Users: []*server.User{{Username: "lull", Password: "p", Permissions: &server.Permissions{Publish: allow}}}})
	user := nats.UserInfo("lull", "p")
	for _, test := range []struct {
		about         string
		nc            *nats.Conn
		vouched       bool
		refused, well bool
		warned        string
	}{
		{"one token for all", dialAs(t, shared, nats.Token("secret")), false, false, true, ""},
		{"one token for all, vouched", dialAs(t, shared, nats.Token("secret")), true, true, false, ""},
		{"one user for all", dialAs(t, alike, user), false, false, true, ""},
		{"one user for all, vouched", dialAs(t, alike, user), true, false, false, ""},
		{"permissions", dialAs(t, apart, user), false, false, false, "start lull admission with --vouched"},
		{"permissions, vouched", dialAs(t, apart, user), true, false, true, ""},
	} {
		var log bytes.Buffer
		logger := slog.New(slog.NewTextHandler(&log, nil))
		err := (&Flag{On: test.vouched}).Check(t.Context(), test.nc, subjects.DefaultPool, logger)
		if (exit.Code(err) == exit.Usage) != test.refused {
			t.Errorf("%s: Check() = %v, want it refused: %v", test.about, err, test.refused)
		}
		if !strings.Contains(log.String(), test.warned) || test.warned == "" && log.Len() > 0 {
			t.Errorf("%s: log = %q, want %q", test.about, log.String(), test.warned)
		}
		if text, ok := examined(t, test.nc, test.vouched); ok != test.well {
			t.Errorf("%s: Report() = %q, %v, want %v", test.about, text, ok, test.well)
		}
	}
}

// examined is doctor's check of users after admission has led.
func examined(t *testing.T, nc *nats.Conn, vouched bool) (text string, ok bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	bus, err := jetstream.Open(ctx, nc, subjects.DefaultPool)
	if err != nil {
		t.Fatal(err)
	}
	a, err := admission.New(admission.Config{Vouched: vouched})
	if err != nil {
		t.Fatal(err)
	}
	m, err := subjects.Encode(subjects.DefaultPool, a.Claim("it"))
	if err == nil {
		_, err = bus.Append(ctx, []subjects.Message{m}, actors.Fence{})
	}
	if err != nil {
		t.Fatal(err)
	}
	return Report(ctx, bus, subjects.DefaultPool)
}

func TestVouchingComesFromTheEnvironmentOrAFlag(t *testing.T) {
	for _, test := range []struct {
		env       string
		flags     []string
		on, wrong bool
	}{
		{"", nil, false, false}, {"true", nil, true, false}, {"0", nil, false, false}, {"olga", nil, false, true},
		{"", []string{"--vouched"}, true, false}, {"1", []string{"--vouched=false"}, false, false},
	} {
		t.Setenv("LULL_VOUCHED", test.env)
		var v Flag
		f := pflag.NewFlagSet("admission", pflag.ContinueOnError)
		v.Add(f)
		if err := f.Parse(test.flags); err != nil || v.On != test.on || (v.Wrong != nil) != test.wrong {
			t.Errorf("LULL_VOUCHED=%q with %v = %+v, %v, want On %v, a wrong value %v", test.env, test.flags, v, err, test.on, test.wrong)
		}
	}
}
