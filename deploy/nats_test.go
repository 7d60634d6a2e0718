package deploy_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"lull/actors"
	"lull/actors/jetstream"
	"lull/subjects"
)

const password = "not-a-secret"

// start runs the sample configuration on a free port.
func start(t *testing.T) *server.Server {
	t.Helper()
	for _, role := range []string{"SERVICE", "HOST_A", "CLIENT", "DASHBOARD"} {
		t.Setenv("LULL_"+role+"_PASSWORD", password)
	}
	dir := t.TempDir()
	config := strings.NewReplacer("/var/lib/nats", dir, "port: 4222", "port: -1\nhost: 127.0.0.1").
		Replace(string(text(t, "nats/lull.conf")))
	path := filepath.Join(dir, "lull.conf")
	if err := os.WriteFile(path, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	options, err := server.ProcessConfigFile(path)
	if err != nil {
		t.Fatal(err)
	}
	options.NoSigs, options.NoLog = true, true
	s, err := server.NewServer(options)
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(10 * time.Second) {
		t.Fatal("the server does not start with the sample configuration")
	}
	return s
}

// as connects a role; what the server forbids it comes out of the channel.
func as(t *testing.T, s *server.Server, user string) (*nats.Conn, <-chan error) {
	t.Helper()
	refused := make(chan error, 16)
	nc, err := nats.Connect(s.ClientURL(), nats.UserInfo(user, password),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { refused <- err }))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	return nc, refused
}

func TestEachRoleWritesItsOwnSubjectsOnly(t *testing.T) {
	s := start(t)
	service, _ := as(t, s, "service")
	heard, err := service.SubscribeSync("lull.>")
	if err == nil {
		err = service.Flush()
	}
	if err != nil {
		t.Fatal(err)
	}
	for user, subjects := range map[string]struct{ may, not []string }{
		"host-a": {
			[]string{"lull.default.host.a.joined", "lull.default.host.a.finished.j1", "lull.default.usage.a", "lull.default.beat.a", "lull.default.speed.a", "lull.default.host.a.harmed", "lull.default.host.a.identified.j1", "lull.default.ask.outputs"},
			[]string{"lull.default.host.b.joined", "lull.default.host.a.assigned.j1", "lull.default.usage.b", "lull.default.job.j1.finished", "lull.default.submit", "lull.default.led.slotter.pool", "lull.default.pool.paused"},
		},
		"client": {
			[]string{"lull.default.submit", "lull.default.request.cancel", "lull.default.ask.outputs"},
			[]string{"lull.default.job.j1.admitted", "lull.default.host.a.joined", "lull.default.usage.a", "lull.default.led.slotter.pool"},
		},
		"dashboard": {
			[]string{"lull.default.ask.outputs"},
			[]string{"lull.default.submit", "lull.default.request.cancel", "lull.default.job.j1.admitted", "lull.default.usage.a"},
		},
	} {
		nc, refused := as(t, s, user)
		for _, subject := range subjects.may {
			must(t, nc.Publish(subject, nil))
			if m, err := heard.NextMsg(5 * time.Second); err != nil || m.Subject != subject {
				t.Errorf("%s may not publish on %s: %v", user, subject, err)
			}
		}
		for _, subject := range subjects.not {
			must(t, nc.Publish(subject, nil))
			must(t, nc.Flush())
			select {
			case err := <-refused:
				if !strings.Contains(err.Error(), subject) {
					t.Errorf("%s on %s: %v", user, subject, err)
				}
			case <-time.After(5 * time.Second):
				t.Errorf("%s may publish on %s", user, subject)
			}
		}
	}
}

// TestAHostsKeyIsEnough does with a host's key what its shell does.
func TestAHostsKeyIsEnough(t *testing.T) {
	s, ctx := start(t), t.Context()
	service, _ := as(t, s, "service")
	_, err := jetstream.Open(ctx, service, subjects.DefaultPool)
	must(t, err)
	nc, refused := as(t, s, "host-a")
	bus, err := jetstream.Open(ctx, nc, subjects.DefaultPool)
	must(t, err)

	info, err := bus.Log(ctx)
	must(t, err)
	joined := subjects.DefaultPool.Joined("a")
	seq, err := bus.Append(ctx, []subjects.Message{{Subject: joined, Body: []byte("x")}}, actors.Fence{Subject: joined})
	must(t, err)
	log, err := bus.Follow(ctx, 1, subjects.DefaultPool.OfHost("a"))
	must(t, err)
	if d := <-log; d.Seq != seq || d.Subject != joined {
		t.Errorf("read %+v back, want sequence %d", d, seq)
	}
	snapshot := actors.Snapshot{Created: info.Created, Seq: seq, State: []byte("state")}
	must(t, bus.Save(ctx, "hostctl.a", snapshot))
	must(t, bus.Save(ctx, "hostctl.a", snapshot))
	loaded, err := bus.Load(ctx, "hostctl.a")
	must(t, err)
	if string(loaded.State) != "state" {
		t.Errorf("loaded %+v", loaded)
	}
	held, err := bus.Lease(ctx, "hostctl.a", "a", time.Minute)
	must(t, err)
	if !held {
		t.Error("the host may not hold its own lease")
	}
	select {
	case err := <-refused:
		t.Error(err)
	default:
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
