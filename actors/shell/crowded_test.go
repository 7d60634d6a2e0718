package shell_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"lull/actors"
	"lull/actors/memory"
	"lull/actors/shell"
	"lull/subjects"
)

// taker opens a job for every message of the inbox, and ends none.
type taker struct{ echo }

func (a *taker) InboxFrom() uint64 { return 0 }
func (a *taker) Open() int         { return int(taken.Load()) }

var taken atomic.Int64

func (a *taker) Step(in actors.Input) (out actors.Output) {
	if in.Request != nil {
		taken.Add(1)
	}
	return out
}

// While memory is full and jobs are open, new messages wait in the inbox, and the
// shell's health says so. When memory has room again, it reads on.
func TestNewWorkWaitsForMemory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		taken.Store(0)
		bus := memory.New("test")
		full := &atomic.Bool{}
		full.Store(true)
		ctx, stop := context.WithCancel(t.Context())
		service := running(t, ctx, shell.Config{
			Role: actors.Role{Name: "taker"}, Bus: bus, Actor: &taker{},
			Memory: func() subjects.Memory { return subjects.Memory{Live: 3 << 30, Limit: 4 << 30, Full: full.Load()} },
		})
		for range 300 {
			if err := bus.Send(actors.Delivery{Subject: bus.Pool().Submit(), Body: []byte("{}")}); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(time.Minute)
		if n := taken.Load(); n != 1 { // with none open, waiting would free nothing
			t.Errorf("%d messages were taken in, want 1", n)
		}
		if err := service.Healthy(); err == nil || !strings.Contains(err.Error(), "wait in the inbox") || !strings.Contains(err.Error(), "--memory") {
			t.Errorf("Healthy() = %v, want an error on the inbox with advice on --memory", err)
		}
		full.Store(false)
		time.Sleep(time.Second)
		if n := taken.Load(); n != 300 {
			t.Errorf("%d messages were taken in, want all 300", n)
		}
		if err := service.Healthy(); err != nil {
			t.Errorf("Healthy() = %v, want no error", err)
		}
		stop()
		<-service.Done()
	})
}
