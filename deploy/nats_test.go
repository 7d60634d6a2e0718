package deploy_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	js "github.com/nats-io/nats.go/jetstream"
	"github.com/spf13/cobra"

	"lull/actors"
	"lull/actors/jetstream"
	"lull/actors/jetstream/embedded/embeddedtest"
	"lull/cmd/lull/serve"
	"lull/subjects"
)

const (
	pool     = subjects.DefaultPool
	password = "not-a-secret"
)

// permissions is the output of `lull permissions`.
func permissions(t *testing.T, flags ...string) string {
	t.Helper()
	cmd := command(t, "permissions")
	var out bytes.Buffer
	cmd.SetOut(&out)
	cmd.SetArgs(flags)
	must(t, cmd.Execute())
	return out.String()
}

// command returns one of the commands that serve a pool.
func command(t *testing.T, name string) *cobra.Command {
	t.Helper()
	all := serve.Commands()
	i := slices.IndexFunc(all, func(cmd *cobra.Command) bool { return cmd.Name() == name })
	if i < 0 {
		t.Fatalf("serve.Commands() has no command %s, want it", name)
	}
	return all[i]
}

func TestTheSampleIsWhatTheCommandPrints(t *testing.T) {
	want := permissions(t, "--host", "a", "--client", "ann", "--operator", "olga")
	if got := string(text(t, "nats/lull.conf")); got != want {
		t.Error("deploy/nats/lull.conf differs from what the command prints, want the same: go run ./cmd/lull permissions --host a --client ann --operator olga > deploy/nats/lull.conf")
	}
}

// start runs a server with keys for two hosts, two clients and an operator, and a key for
// the test that may do everything.
func start(t *testing.T) *server.Server {
	t.Helper()
	for _, key := range []string{"ADMISSION", "SLOTTER", "CLASSIFIER", "PLACER", "HOST_A", "HOST_B", "ANN", "BOB", "OLGA", "DASHBOARD"} {
		t.Setenv("LULL_"+key+"_PASSWORD", password)
	}
	dir := t.TempDir()
	config := strings.NewReplacer("/var/lib/nats", dir, "port: 4222", "port: -1\nhost: 127.0.0.1").
		Replace(permissions(t, "--host", "a,b", "--client", "ann,bob", "--operator", "olga"))
	config = strings.Replace(config, "users = [", "users = [\n{ user: judge, password: "+password+" }", 1)
	path := filepath.Join(dir, "lull.conf")
	must(t, os.WriteFile(path, []byte(config), 0o600))
	return embeddedtest.PlainFile(t, path)
}

// as connects with the key of a user.
func as(t *testing.T, s *server.Server, user string) *nats.Conn {
	t.Helper()
	nc, err := nats.Connect(s.ClientURL(), nats.UserInfo(user, password), nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}))
	must(t, err)
	t.Cleanup(nc.Close)
	return nc
}

// opened makes the pool, with the key of admission.
func opened(t *testing.T, s *server.Server) *jetstream.Bus {
	t.Helper()
	bus, err := jetstream.Open(t.Context(), as(t, s, "admission"), pool)
	must(t, err)
	return bus
}

// TestKeysAreEnough does all work of each role with its key.
func TestKeysAreEnough(t *testing.T) {
	s, ctx := start(t), t.Context()
	admission := opened(t, s)
	slotter, err := jetstream.Open(ctx, as(t, s, "slotter"), pool)
	must(t, err)
	for name, bus := range map[string]*jetstream.Bus{"admission": admission, "slotter": slotter} {
		held, err := bus.Lease(ctx, name+".all", name, time.Minute)
		if err != nil || !held {
			t.Errorf("Lease(%s.all) = %v, %v, want it granted", name, held, err)
		}
		must(t, bus.Release(ctx, name+".all", name))
		info, err := bus.Log(ctx)
		must(t, err)
		must(t, bus.Save(ctx, name+".all/1", actors.Snapshot{Created: info.Created, State: []byte(name)}))
		must(t, bus.Save(ctx, name+".all/1", actors.Snapshot{Created: info.Created, State: []byte(name)}))
		if snap, err := bus.Load(ctx, name+".all/1"); err != nil || string(snap.State) != name {
			t.Errorf("Load(%s.all/1) = %+v, %v, want the state %[1]s", name, snap, err)
		}
		must(t, bus.Save(ctx, name+".all", actors.Snapshot{Created: info.Created}))
		must(t, bus.Forget(ctx, name+".all"))
		must(t, bus.Quarantine(ctx, "log", name, "it is a test", nil))
		must(t, bus.Trim(ctx, 1))
	}

	host, err := jetstream.Attach(ctx, as(t, s, "host-a"), pool)
	must(t, err)
	joined := pool.Joined("a")
	seq, err := host.Append(ctx, []subjects.Message{{Subject: joined, Body: []byte("x")}}, actors.Fence{Subject: joined})
	must(t, err)
	log, err := host.Follow(ctx, 1, pool.OfHost("a"))
	must(t, err)
	if d := <-log; d.Seq != seq || d.Subject != joined || string(d.Body) != "x" {
		t.Errorf("first entry that the host follows = %+v, want sequence %d on %s with the body x", d, seq, joined)
	}
	batch := []subjects.Message{{Subject: "lull.default.host.a.finished.j"}, {Subject: "lull.default.host.a.finished.j"}}
	last, err := host.Append(ctx, batch, actors.Fence{Subject: joined, Seq: seq})
	must(t, err)
	for range batch {
		seq = (<-log).Seq
	}
	if seq != last {
		t.Errorf("last sequence that the host follows = %d, want %d, the end of its batch", seq, last)
	}

	ann, err := jetstream.Attach(ctx, as(t, s, "ann"), pool)
	must(t, err)
	snapshots, err := ann.Snapshots(ctx)
	if err != nil || len(snapshots) != 2 {
		t.Errorf("Snapshots() as ann = %v, %v, want two", snapshots, err)
	}
	if snap, err := ann.Load(ctx, "slotter.all/1"); err != nil || string(snap.State) != "slotter" {
		t.Errorf("Load(slotter.all/1) as ann = %+v, %v, want the state slotter", snap, err)
	}
	list := bytes.Repeat([]byte("task "), 300_000)
	name, err := ann.PutBlob(ctx, list)
	must(t, err)
	if got, err := host.ReadBlob(ctx, name, 0, 2*len(list)); err != nil || !bytes.Equal(got, list) {
		t.Errorf("ReadBlob(ann's list of %d bytes) as the host = %d bytes, %v, want the list", len(list), len(got), err)
	}
	all, err := ann.Follow(ctx, 1, "")
	must(t, err)
	if d := <-all; d.Seq != 1 || d.Subject != joined {
		t.Errorf("first entry that ann follows = %+v, want sequence 1 on %s", d, joined)
	}
}

// The server maps the plain subject, which any NATS client can use, to the one with the
// user's name, and the verdict reaches the client.
func TestTheServerVouchesForTheUser(t *testing.T) {
	s := start(t)
	opened(t, s)
	admission := as(t, s, "admission")
	_, err := admission.Subscribe("lull.default.submit.*", func(m *nats.Msg) {
		_ = m.Respond([]byte("verdict on " + m.Subject)) // whoever waits for it reports its absence
	})
	must(t, err)
	must(t, admission.Flush())
	ann := as(t, s, "ann")
	replies, err := ann.SubscribeSync(ann.NewInbox())
	must(t, err)
	for _, subject := range []string{pool.Submit(), "lull.default.submit.ann"} {
		must(t, ann.PublishRequest(subject, replies.Subject, []byte("doc")))
		var got []string
		for range 2 {
			m, err := replies.NextMsg(5 * time.Second)
			must(t, err)
			got = append(got, string(m.Data))
		}
		if all := strings.Join(got, " "); !strings.Contains(all, "verdict on lull.default.submit.ann") || !strings.Contains(all, `"seq":`) {
			t.Errorf("replies to ann on %s = %q, want a sequence and the verdict on lull.default.submit.ann", subject, got)
		}
	}
}

// Confined reports whether a key can publish under its own user's name only. It leaves no message
// behind.
func TestKeysAreConfinedToTheirUser(t *testing.T) {
	s := start(t)
	opened(t, s)
	for _, user := range []string{"admission", "slotter", "host-a", "ann", "olga", "dashboard", "judge"} {
		nc := as(t, s, user)
		confined, err := jetstream.Confined(t.Context(), nc, pool)
		if err != nil || confined != (user != "judge") || !jetstream.Identified(nc) {
			t.Errorf("Confined(%s) = %v, %v with Known = %v, want %v and known", user, confined, err, jetstream.Identified(nc), user != "judge")
		}
	}
	for _, stream := range streams() {
		kept, err := admin(t, s).Stream(t.Context(), stream)
		must(t, err)
		if n := kept.CachedInfo().State.Msgs; n != 0 {
			t.Errorf("messages in stream %s after Confined = %d, want 0", stream, n)
		}
	}
}

// Tickets come from the host itself, also those for other hosts.
func TestTicketsComeFromTheirHost(t *testing.T) {
	s := start(t)
	opened(t, s)
	for _, host := range []string{"a", "b"} {
		nc := as(t, s, "host-"+host)
		_, err := nc.Subscribe(pool.Ticket(host), func(m *nats.Msg) { _ = m.Respond([]byte("ticket of " + host)) })
		must(t, err)
		must(t, nc.Flush())
	}
	for user, subject := range map[string]string{"ann": pool.Ticket("b"), "olga": pool.Ticket("b"), "host-a": pool.Pass("b"), "judge": pool.Ticket("b")} {
		m, err := as(t, s, user).Request(subject, nil, 5*time.Second)
		if err != nil || string(m.Data) != "ticket of b" {
			t.Errorf("Request(%s) as %s = %v, %v, want the ticket of b", subject, user, m, err)
		}
	}
	if m, err := as(t, s, "dashboard").Request(pool.Ticket("b"), nil, 5*time.Second); err == nil {
		t.Errorf("Request(%s) as dashboard = %q, want no answer", pool.Ticket("b"), m.Data)
	}
}

func admin(t *testing.T, s *server.Server) js.JetStream {
	t.Helper()
	all, err := js.New(as(t, s, "judge"))
	must(t, err)
	return all
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
