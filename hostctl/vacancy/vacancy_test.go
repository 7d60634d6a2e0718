package vacancy

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"lull/actors"
	"lull/actors/memory"
	"lull/subjects"
)

const host = "alpha"

// rig is a host's name on a bus in memory.
type rig struct {
	*testing.T
	bus  *memory.Bus
	file string
}

// agent is a process on the rig's data folder.
func (r *rig) agent(boot string) *Bus {
	return New(r.bus, Config{Host: host, Boot: boot, File: r.file, Logger: slog.New(slog.DiscardHandler)})
}

// join tries to join as an instance after a term, and returns how long that took and the error
// on Taken.
func (r *rig) join(b *Bus, instance string, last Term) (time.Duration, error) {
	r.Helper()
	m, err := subjects.Encode(r.bus.Pool(), &subjects.Joined{Host: host, Instance: instance})
	if err != nil {
		r.Fatal(err)
	}
	ctx, stop := context.WithCancel(r.Context())
	defer stop()
	began, appended := time.Now(), make(chan error, 1)
	b.Expect(instance, last)
	go func() {
		_, err := b.Append(ctx, []subjects.Message{m}, actors.Fence{})
		appended <- err
	}()
	select {
	case err := <-b.Taken():
		stop()
		if err := <-appended; !errors.Is(err, context.Canceled) {
			r.Errorf("a refused Joined ended with %v", err)
		}
		return time.Since(began), err
	case err := <-appended:
		if err != nil {
			r.Fatal(err)
		}
		return time.Since(began), nil
	}
}

// beats sends beats of the name, every second, a number of times.
func (r *rig) beats(boot string, times int) {
	tick := time.NewTicker(time.Second) // virtual time
	defer tick.Stop()
	for range times {
		m, err := subjects.EncodeTelemetry(r.bus.Pool(), &subjects.Beat{Host: host, Term: 1, Boot: boot})
		if err == nil {
			err = r.bus.Publish(m.Subject, m.Body)
		}
		if err != nil {
			r.Error(err)
		}
		<-tick.C
	}
}

func TestANameIsTakenOnlyWhenItIsFree(t *testing.T) {
	other := Term{Seq: 1, Instance: "other", Boot: "b1"}
	mine := Term{Seq: 1, Instance: "mine", Boot: "b1"}
	for name, c := range map[string]struct {
		boot  string // of the agent that joins, on the folder of "mine"
		last  Term
		beats int
		waits time.Duration // at least, and at most a second more
		taken bool
	}{
		"no term":                                      {"b1", Term{}, 0, 0, false},
		"the last one left":                            {"b1", Term{Seq: 1, Instance: "other", Away: true}, 9, 0, false},
		"a restart on the same folder":                 {"b1", mine, 0, 0, false},
		"the machine booted anew":                      {"b2", mine, 0, silence, false},
		"a clone of the machine, with its folder":      {"b2", mine, 9, time.Second, true},
		"another that crashed":                         {"b1", other, 0, silence, false},
		"another that ends now, its last beat comes":   {"b1", other, 1, silence, false},
		"another that is alive":                        {"b1", other, 9, time.Second, true},
		"a snapshot of an older version, none alive":   {"b1", Term{Seq: 1}, 0, silence, false},
		"a snapshot of an older version, one is alive": {"b1", Term{Seq: 1}, 9, time.Second, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := &rig{t, memory.New("test"), filepath.Join(t.TempDir(), "instance")}
				if _, err := r.join(r.agent("b1"), "mine", Term{}); err != nil {
					t.Fatal(err)
				}
				b := r.agent(c.boot)
				var beats sync.WaitGroup
				beats.Go(func() { r.beats("b1", c.beats) })
				defer beats.Wait()
				took, err := r.join(b, "next", c.last)
				if taken := errors.Is(err, ErrTaken); taken != c.taken || took < c.waits || took > c.waits+time.Second {
					t.Errorf("taken: %v (%v) after %v, want %v after %v", taken, err, took, c.taken, c.waits)
				}
				select {
				case <-b.haveName:
					if c.taken {
						t.Error("named = true under a name that is taken, want false")
					}
				default:
					if !c.taken {
						t.Error("named = false under a free name, want true")
					}
				}
			})
		})
	}
}

// A process joins again at once after its own term, whatever it published under it.
func TestAProcessFollowsItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &rig{t, memory.New("test"), filepath.Join(t.TempDir(), "no folder", "instance")}
		b := r.agent("b1")
		if _, err := r.join(b, "one", Term{}); err != nil {
			t.Fatal(err)
		}
		var beats sync.WaitGroup
		beats.Go(func() { r.beats("b1", 5) })
		defer beats.Wait()
		if took, err := r.join(b, "two", Term{Seq: 1, Instance: "one", Boot: "b1"}); err != nil || took > 0 {
			t.Errorf("join() = %v after %v, want no error at once", err, took)
		}
	})
}
