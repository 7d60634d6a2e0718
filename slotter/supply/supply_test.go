package supply

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"lull/subjects/tct"
)

// What hosts offered last is all that counts, in whatever order they came to it.
func TestSupplyIsTheSumOfTheLastOffers(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 0))
	for range 200 {
		last := make([]Offer, 1+rng.IntN(20))
		var s Supply
		for range 100 {
			i, now := rng.IntN(len(last)), Offer{}
			if rng.IntN(4) > 0 {
				now = OfferOf(rng.Float64()*16, 1+rng.IntN(16))
			}
			s.Replace(last[i], now)
			last[i] = now
		}
		var anew Supply
		for _, o := range slices.Backward(last) {
			anew.Replace(Offer{}, o)
		}
		if s.Slots() != anew.Slots() || s.slots != anew.slots || s.Usual() != anew.Usual() || int(s.Cores()*tct.Steps+0.5) != int(anew.Cores()*tct.Steps+0.5) {
			t.Fatalf("seed %d: %d slots, %v cores, usual step %d; counted anew %d, %v, %d",
				seed, s.Slots(), s.Cores(), s.Usual(), anew.Slots(), anew.Cores(), anew.Usual())
		}
	}
}

// One idle host among loaded ones does not make it the usual one.
func TestUsualSlotIsTheMedianOfIdleCores(t *testing.T) {
	var s Supply
	for range 10 {
		s.Replace(Offer{}, OfferOf(0.4, 1))
	}
	s.Replace(Offer{}, OfferOf(1, 1))
	if s.Usual() != 40 || s.Slots() != 11 {
		t.Errorf("of %d slots the usual one has step %d, want 40", s.Slots(), s.Usual())
	}
	for range 5 {
		s.Replace(Offer{}, OfferOf(1, 1))
	}
	if s.Usual() != 100 {
		t.Errorf("with six idle hosts the usual step is %d, want 100", s.Usual())
	}
}

func TestOutlookForgetsSlowly(t *testing.T) {
	var o Outlook
	at := int64(time.Hour)
	o.Add(4, at)
	o.Add(0, at+int64(time.Second))
	if o.Mean < 4 || o.Mean > 4 {
		t.Errorf("mean of a burst that has just begun = %v, want 4", o.Mean)
	}
	for i := range 600 {
		o.Add(0, at+int64(time.Duration(i+2)*time.Second))
	}
	if o.Mean < 1.2 || o.Mean > 1.8 {
		t.Errorf("after ten minutes the mean is %v, want 4/e", o.Mean)
	}
}
