package shell_test

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"lull/actors"
	"lull/actors/memory"
	"lull/actors/shell"
	"lull/subjects"
)

// listener notes the requests that it is given, and has work that never ends.
type listener struct {
	echo
	heard []string
}

func (a *listener) InboxFrom() uint64 { return 0 }
func (a *listener) Open() int         { return len(a.heard) }
func (a *listener) Urgent() []string  { return subjects.Pool("test").CancelSubjects() }

func (a *listener) Step(in actors.Input) (out actors.Output) {
	if r := in.Request; r != nil {
		a.heard = append(a.heard, fmt.Sprint(r.Seq, map[bool]string{true: " early"}[r.Early]))
	}
	return out
}

// While memory is full, cancels are read past the work that waits. All of them come
// again in their turn, and what comes when memory has room comes in its turn alone.
func TestCancelsPassTheWorkThatWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bus, full := memory.New("test"), &atomic.Bool{}
		full.Store(true)
		ctx, stop := context.WithCancel(t.Context())
		a := &listener{}
		service := running(t, ctx, shell.Config{
			Role: actors.Role{Name: "listener"}, Bus: bus, Actor: a,
			Memory: func() subjects.Memory { return subjects.Memory{Full: full.Load()} },
		})
		send := func(subject string) {
			if err := bus.Send(actors.Delivery{Subject: subject}); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
		}
		heard := func(want ...string) {
			t.Helper()
			time.Sleep(time.Second) // virtual
			if err := service.Inspect(ctx, func(actors.Actor) {
				if !slices.Equal(a.heard, want) {
					t.Errorf("the actor was given %q, want %q", a.heard, want)
				}
			}); err != nil {
				t.Fatal(err)
			}
		}
		pool := bus.Pool()
		for _, subject := range []string{pool.Submit(), pool.SubmitBy("cancel"), pool.Request("cancel"), pool.Request("retry"), pool.AdminBy("cancel", "olga")} {
			send(subject)
		}
		heard("1", "3 early", "5 early") // with no work open, waiting would free nothing
		send(pool.RequestBy("cancel", "ann"))
		heard("1", "3 early", "5 early", "6 early")
		full.Store(false)
		heard("1", "3 early", "5 early", "6 early", "2", "3", "4", "5", "6")
		send(pool.Request("cancel"))
		full.Store(true)
		heard("1", "3 early", "5 early", "6 early", "2", "3", "4", "5", "6", "7")
		synctest.Wait() // the shell has looked at its memory
		send(pool.Submit())
		send(pool.Request("cancel"))
		heard("1", "3 early", "5 early", "6 early", "2", "3", "4", "5", "6", "7", "9 early")
		stop()
		<-service.Done()
	})
}
