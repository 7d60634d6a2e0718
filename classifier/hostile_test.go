package classifier

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"lull/subjects"
	"lull/subjects/forged"
	"lull/subjects/ledger"
)

var hostile = flag.Uint64("hostile", 0, "the seed of the hostile log (0: new ones, which a failure prints)")

// Whatever stands in the log, the classifier decides what can be written, and its next generation counts.
func TestAHostileLogIsSurvived(t *testing.T) {
	seeds := []uint64{*hostile}
	if *hostile == 0 {
		seeds = make([]uint64, 25) // each makes three generations or more
		for i := range seeds {
			seeds[i] = rand.Uint64()
		}
	}
	for _, seed := range seeds {
		t.Run(fmt.Sprint("seed-", seed), func(t *testing.T) { surviveHostileLog(t, seed) })
	}
}

func surviveHostileLog(t *testing.T, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 0))
	w := newWorld(t)
	w.days(0, 5)
	w.now = monday.AddDate(0, 0, 5).Add(2 * time.Hour)
	pool, folded := ledger.New(), 0
	forger := forged.New(seed, pool)
	for range 15 {
		w.settle()
		for range rng.IntN(20) {
			for ; folded < len(w.log); folded++ {
				pool.Apply(uint64(folded+1), w.now, w.log[folded])
			}
			w.enter(forger.Event())
		}
		w.now = w.now.Add(time.Duration(rng.IntN(3600)) * time.Second)
	}
	b, err := w.actor.Snapshot()
	if err == nil {
		err = New(Config{}).Restore(b)
	}
	if err != nil {
		t.Fatal(err)
	}
	w.lead()
	w.enter(&subjects.Owned{}) // what was forged of owners is replaced
	for host, tenant := range w.named {
		w.enter(&subjects.Joined{Host: host, Instance: "i", Tenant: tenant})
	}
	w.days(5, 5)
	ended := w.sleep(3 * 24 * time.Hour)
	if len(ended) < 2 || w.actor.tenants.Of("shop") == nil || w.actor.tenants.Last().At != ended[len(ended)-1].At {
		t.Errorf("generations in three days = %d, shop = %+v, want the last one to count", len(ended), w.actor.tenants.Of("shop"))
	}
}
