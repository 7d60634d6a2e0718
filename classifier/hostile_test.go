package classifier

import (
	"math/rand/v2"
	"testing"
	"time"

	"pgregory.net/rapid"

	"lull/subjects/forged"
	"lull/subjects/ledger"
)

// Whatever stands in the log, the classifier decides what can be written, and its next generation counts.
func TestAHostileLogIsSurvived(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		seed := rapid.Uint64().Draw(rt, "seed")
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
			rt.Fatal(err)
		}
		w.lead()
		w.days(5, 5)
		ended := w.sleep(3 * 24 * time.Hour)
		if len(ended) < 2 || w.actor.tenants.Of("shop") == nil || w.actor.tenants.Last().At != ended[len(ended)-1].At {
			rt.Errorf("generations in three days = %d, shop = %+v, want the last one to count", len(ended), w.actor.tenants.Of("shop"))
		}
	})
}
