package kept

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"lull/hostctl/coalesce"
	"lull/hostctl/queries"
)

func TestDoubtsAreBounded(t *testing.T) {
	k := Keeper{doubts: newDoubts()}
	for id := range uint64(2 * maxDoubts) {
		k.Doubt(id)
	}
	if n := len(k.doubts.takeAll()); n != maxDoubts {
		t.Errorf("%d attempts wait, want %d", n, maxDoubts)
	}
	if n := len(k.doubts.takeAll()); n != 0 {
		t.Errorf("attempts after all were taken = %d, want 0", n)
	}
}

// Readers that ask all the time cost a host at most a tenth of the time.
func TestChecksTakeATenthOfTheTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ready := make(chan struct{})
		close(ready)
		k := Keeper{cfg: Config{Ready: ready, Logger: slog.New(slog.DiscardHandler)}}
		const all, each = 10 * time.Hour, time.Minute
		ctx, cancel := context.WithTimeout(t.Context(), all)
		defer cancel()
		asked, checks := coalesce.New(), time.Duration(0)
		asked.Raise()
		k.checkOn(ctx, asked, func(context.Context) (int, error) {
			checks++
			asked.Raise()
			time.Sleep(each)
			return 1, nil
		})
		if spent := checks * each; spent > all/checkShare || spent < all/checkShare/2 {
			t.Errorf("checks took %v of %v, want one in %d and at least half of that", spent, all, checkShare)
		}
	})
}

// logged is a keeper of an agent that is ready, and what it logs.
func logged() (*Keeper, *bytes.Buffer) {
	ready := make(chan struct{})
	close(ready)
	log := new(bytes.Buffer)
	k := new(Keeper)
	k.cfg.Ready, k.cfg.Logger = ready, slog.New(slog.NewTextHandler(log, nil))
	return k, log
}

// A check that ends because the agent stops is no failure: the log of an orderly stop ends with "stopping".
func TestACheckThatAStopEndsIsNotLogged(t *testing.T) {
	k, log := logged()
	ctx, stop := context.WithCancel(t.Context())
	asked := coalesce.New()
	asked.Raise()
	k.checkOn(ctx, asked, func(ctx context.Context) (int, error) {
		stop()
		return 0, ctx.Err()
	})
	if log.Len() > 0 {
		t.Errorf("log = %s, want nothing", log)
	}
}

// A host may ask before the slotter has read that it joined. The keeper asks again, and logs nothing.
func TestACheckBeforeTheSlotterKnowsTheHostIsNotLogged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k, log := logged()
		ctx, stop := context.WithCancel(t.Context())
		asked, checks := coalesce.New(), 0
		asked.Raise()
		k.checkOn(ctx, asked, func(context.Context) (int, error) {
			if checks++; checks == 1 {
				return 0, fmt.Errorf("%w: host alpha is unknown", queries.ErrNotJoined)
			}
			stop()
			return 0, nil
		})
		if log.Len() > 0 || checks != 2 {
			t.Errorf("log = %q after %d checks, want nothing after 2", log, checks)
		}
	})
}
