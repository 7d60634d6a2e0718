package embedded_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server/ats"
	"go.uber.org/goleak"

	"lull/actors"
	"lull/actors/jetstream/connect"
	"lull/actors/jetstream/embedded"
	"lull/actors/jetstream/embedded/embeddedtest"
	"lull/actors/jetstream/embedded/embeddedtest/bustest"
	"lull/subjects"
	"lull/test/poll"
)

func TestMain(m *testing.M) {
	ats.Register() // the server's access-time ticker is one for the whole process
	goleak.VerifyTestMain(m, goleak.IgnoreCurrent())
}

func drained(t *testing.T, n int) []subjects.Message {
	t.Helper()
	m, err := subjects.Encode(subjects.DefaultPool, &subjects.Drained{Host: "a"})
	if err != nil {
		t.Fatal(err)
	}
	batch := make([]subjects.Message, n)
	for i := range batch {
		batch[i] = m
	}
	return batch
}

func TestOneServerAFolder(t *testing.T) {
	dir := t.TempDir()
	first := embeddedtest.Start(t, embedded.Config{Dir: dir})
	if _, err := embedded.Start(embedded.Config{Dir: dir}); !errors.Is(err, embedded.ErrLocked) {
		t.Errorf("Start(a folder in use) = %v, want ErrLocked", err)
	}
	if err := first.Shutdown(); err != nil {
		t.Fatal(err)
	}
	embeddedtest.Start(t, embedded.Config{Dir: dir})
}

// reconnectPatience bounds the wait for a client that lost its server for a moment.
const reconnectPatience = 30 * time.Second

// TestRestart: connections, readers and the log survive a restart.
func TestRestart(t *testing.T) {
	server := embeddedtest.Start(t, embedded.Config{Dir: t.TempDir(), SyncAlways: true})
	bus := bustest.Open(t, server, subjects.DefaultPool)
	ctx, cancel := context.WithTimeout(t.Context(), 2*reconnectPatience)
	defer cancel()
	messages, err := bus.Follow(ctx, 1, "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := bus.Append(ctx, drained(t, 3), actors.Fence{}); err != nil {
		t.Fatal(err)
	}
	if err := server.Restart(); err != nil {
		t.Fatal(err)
	}
	if err := server.Healthz(); err != nil {
		t.Error(err)
	}
	if !poll.Until(reconnectPatience, 10*time.Millisecond, func() bool {
		if _, err = bus.Append(ctx, drained(t, 2), actors.Fence{}); err != nil && !errors.Is(err, actors.ErrUnknown) {
			t.Fatal(err)
		}
		return err == nil
	}) {
		t.Fatalf("Append within %v = %v, want the bus connected again", reconnectPatience, err)
	}
	for want := uint64(1); want <= 5; want++ {
		if d := <-messages; d.Seq != want {
			t.Fatalf("delivered %d, want %d", d.Seq, want)
		}
	}
}

// TestStagingInMemory: the log's batches are staged in memory, before and
// after a restart, and nothing of it is left at the end.
func TestStagingInMemory(t *testing.T) {
	if _, err := os.Stat("/dev/shm"); err != nil {
		t.Skip("needs /dev/shm")
	}
	dir := t.TempDir()
	server := embeddedtest.Start(t, embedded.Config{Dir: dir})
	link := filepath.Join(dir, "nats/jetstream/$G/streams/LULL_default/batches")
	var targets []string
	look := func() {
		t.Helper()
		target, err := os.Readlink(link)
		if err != nil {
			t.Fatal(err)
		}
		targets = append(targets, target)
	}
	bus := bustest.Open(t, server, subjects.DefaultPool)
	look()
	if _, err := bus.Append(t.Context(), drained(t, 3), actors.Fence{}); err != nil {
		t.Fatal(err)
	}
	look()
	if err := server.Restart(); err != nil {
		t.Fatal(err)
	}
	look()
	if targets[0] != targets[1] || targets[1] == targets[2] {
		t.Errorf("staged in %v, want the third elsewhere than the first two", targets)
	}
	if err := server.Shutdown(); err != nil {
		t.Fatal(err)
	}
	for _, target := range targets {
		if _, err := os.Stat(target); !os.IsNotExist(err) {
			t.Errorf("%s is left behind: %v, want it removed", target, err)
		}
	}
}

func TestListenWithToken(t *testing.T) {
	server := embeddedtest.Start(t, embedded.Config{Dir: t.TempDir(), Listen: "127.0.0.1:0", Token: "secret"})
	if nc, err := connect.Dial(server.URL(), "stranger", "wrong"); err == nil {
		nc.Close()
		t.Error("Dial(a wrong token) = nil error, want an error")
	}
	nc, err := connect.Dial(server.URL(), "friend", "secret")
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	url := server.URL()
	if err := server.Restart(); err != nil {
		t.Fatal(err)
	}
	if server.URL() != url {
		t.Errorf("URL() = %s after a restart, want %s", server.URL(), url)
	}
	bustest.Open(t, server, subjects.DefaultPool) // and within the process, by the same token
}

// A server is healthy before a pool was made in it, also after a restart. It must not be restarted
// for the missing pool: clients that come to make the pool would lose their connections again and
// again.
func TestAServerWithoutAPoolIsHealthy(t *testing.T) {
	server := embeddedtest.Start(t, embedded.Config{Dir: t.TempDir()})
	for range 2 {
		if err := server.Healthz(); err != nil {
			t.Error(err)
		}
		if err := server.Restart(); err != nil {
			t.Fatal(err)
		}
	}
	bustest.Open(t, server, subjects.DefaultPool)
	if err := server.Healthz(); err != nil {
		t.Error(err)
	}
}
