package shell_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"lull/actors"
	"lull/actors/memory"
	"lull/actors/shell"
	"lull/subjects"
)

// counting is a bus that counts the snapshots saved.
type counting struct {
	actors.Bus
	mu    sync.Mutex
	saves int
}

func (c *counting) Save(ctx context.Context, name string, s actors.Snapshot) error {
	c.mu.Lock()
	c.saves++
	c.mu.Unlock()
	return c.Bus.Save(ctx, name, s)
}

// saved returns the number of snapshots since its last call.
func (c *counting) saved() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := c.saves
	c.saves = 0
	return n
}

// mute is an actor that decides nothing.
type mute struct{}

func (mute) Step(actors.Input) actors.Output { return actors.Output{} }
func (mute) Snapshot() ([]byte, error)       { return []byte{0x80}, nil }
func (mute) Restore([]byte) error            { return nil }

func hostShell(t *testing.T, ctx context.Context, bus actors.Bus, host string) {
	t.Helper()
	service, err := shell.New(hostConfig(bus, host))
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = service.Run(ctx) }()
}

func hostConfig(bus actors.Bus, host string) shell.Config {
	pool := bus.Pool()
	return shell.Config{
		Role: actors.Role{
			Name: "hostctl", Partition: host, Filter: pool.OfHost(host), LedSubject: pool.Joined(host), Anywhere: true,
			SnapshotEvery: 100, SnapshotAfter: 10 * time.Minute,
		},
		Actor: mute{}, Bus: bus,
		Claim: func(instance string) subjects.Event { return &subjects.Joined{Host: host, Instance: instance} },
	}
}

// TestSnapshotsFollowOwnEntriesAndTime: a host saves after a number of entries that
// it folded itself, or after a time, not by the pool's sequence. A host without
// entries saves nothing.
func TestSnapshotsFollowOwnEntriesAndTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bus := &counting{Bus: memory.New("test")}
		ctx, stop := context.WithCancel(t.Context())
		const hosts = 50
		for i := range hosts {
			hostShell(t, ctx, bus, fmt.Sprintf("h%d", i))
		}
		synctest.Wait()
		say := func(host string) {
			m, err := subjects.Encode("test", &subjects.Resumed{Host: host})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := bus.Append(ctx, []subjects.Message{m}, actors.Fence{}); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
		}
		for range 40 { // 2,000 entries of the pool, 41 of each host
			for i := range hosts {
				say(fmt.Sprintf("h%d", i))
			}
		}
		if n := bus.saved(); n != 0 {
			t.Errorf("snapshots of %d hosts by the pool's sequence = %d, want 0", hosts, n)
		}
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		if n := bus.saved(); n != hosts {
			t.Errorf("after ten minutes %d snapshots, want one of each of %d hosts", n, hosts)
		}
		time.Sleep(24 * time.Hour)
		synctest.Wait()
		if n := bus.saved(); n != 0 {
			t.Errorf("snapshots in a day in which nothing happened = %d, want 0", n)
		}
		for range 101 { // the first one is due by time
			say("h0")
		}
		if n := bus.saved(); n != 2 {
			t.Errorf("snapshots after 101 own entries = %d, want 2", n)
		}
		stop()
		synctest.Wait()
		if n := bus.saved(); n != 0 {
			t.Errorf("snapshots at the end of %d hosts = %d, want 0: they stand already", hosts, n)
		}
	})
}
