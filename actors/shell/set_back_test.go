package shell_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"lull/actors"
	"lull/actors/memory"
	"lull/actors/shell"
	"lull/subjects"
)

// wrongClock is a bus whose server's clock is off.
type wrongClock struct {
	*memory.Bus
	off atomic.Int64 // nanoseconds
}

func (b *wrongClock) Inbox(ctx context.Context, from uint64, filters ...string) (<-chan actors.Delivery, error) {
	messages, err := b.Bus.Inbox(ctx, from, filters...)
	return b.stamped(messages), err
}

func (b *wrongClock) Follow(ctx context.Context, from uint64, filter string) (<-chan actors.Delivery, error) {
	messages, err := b.Bus.Follow(ctx, from, filter)
	return b.stamped(messages), err
}

func (b *wrongClock) stamped(messages <-chan actors.Delivery) <-chan actors.Delivery {
	out := make(chan actors.Delivery)
	go func() {
		defer close(out)
		for d := range messages {
			d.Time = d.Time.Add(time.Duration(b.off.Load()))
			out <- d
		}
	}()
	return out
}

// stamps notes when its requests were published.
type stamps struct {
	echo
	at    []time.Time
	clock []time.Time // the actor's time, when it was given them
}

func (a *stamps) InboxFrom() uint64 { return 0 }
func (a *stamps) Open() int         { return 1 }

func (a *stamps) Step(in actors.Input) (out actors.Output) {
	if r := in.Request; r != nil {
		a.at, a.clock = append(a.at, r.Time), append(a.clock, in.Now)
	}
	return out
}

// After the server's clock was set back by years, a message that comes is given the log's time, from
// which its deadline counts. One that waited for memory is given the time at which it came.
func TestAServersClockIsSetBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bus, full := &wrongClock{Bus: memory.New("test")}, &atomic.Bool{}
		ctx, stop := context.WithCancel(t.Context())
		a := &stamps{}
		service := running(t, ctx, shell.Config{
			Role: actors.Role{Name: "stamps"}, Bus: bus, Actor: a,
			Memory: func() subjects.Memory { return subjects.Memory{Full: full.Load()} },
		})
		send := func() {
			if err := bus.Send(actors.Delivery{Subject: bus.Pool().Submit()}); err != nil {
				t.Fatal(err)
			}
		}
		send() // the first message of an instance: its stamp is all that is known
		time.Sleep(time.Hour)
		bus.off.Store(int64(-10 * 365 * 24 * time.Hour))
		send()
		time.Sleep(time.Minute)
		full.Store(true)
		time.Sleep(time.Minute)
		send()
		time.Sleep(10 * time.Minute)
		send()
		full.Store(false)
		time.Sleep(time.Minute)
		if err := service.Inspect(ctx, func(actors.Actor) {
			for i, want := range []time.Duration{0, 0, 10 * time.Minute, 0} {
				if i >= len(a.at) {
					t.Fatalf("messages given = %d, want 4", len(a.at))
				}
				if got := a.clock[i].Sub(a.at[i]); (got - want).Abs() > 3*time.Second {
					t.Errorf("message %d was published %v before it was read, want %v", i+1, got, want)
				}
			}
		}); err != nil {
			t.Fatal(err)
		}
		stop()
		<-service.Done()
	})
}
