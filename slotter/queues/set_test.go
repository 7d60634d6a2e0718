package queues

import (
	"math"
	"testing"
	"time"

	"lull/subjects"
	"lull/subjects/ledger"
)

// pair is two queues, the first of which has twice the other's weight.
func pair(t *testing.T) (s *Set, heavy, light *Queue) {
	t.Helper()
	state := ledger.New()
	state.Apply(1, time.Unix(1, 0), &subjects.Shared{Queue: "heavy", Weight: 2})
	s = New(state)
	heavy, light = s.Join(state, "heavy"), s.Join(state, "light")
	if !s.Weighted() || !s.Several() || s.All()[0] != heavy {
		t.Fatalf("queues = %+v, want heavy first, weighted", s.All())
	}
	return s, heavy, light
}

func TestTheQueueFurthestBelowItsShareIsServedNext(t *testing.T) {
	s, heavy, light := pair(t)
	heavy.WaitingSlots, light.WaitingSlots = 100, 100
	for range 12 {
		if !s.Divide(0, 12, 0.5) {
			t.Fatal("Divide() between two queues that wait = false, want true")
		}
		next := heavy
		if light.Turn() < heavy.Turn() {
			next = light
		}
		next.HeldSlots++
		next.WaitingSlots--
	}
	if heavy.HeldSlots != 8 || light.HeldSlots != 4 {
		t.Errorf("of 12 slots they hold %d and %d, want two thirds and a third", heavy.HeldSlots, light.HeldSlots)
	}
	if heavy.Lacks() != 0 || light.Borrowable() != 4 || light.MayYield(1, 0) || !light.MayYield(2, 0.5) {
		t.Errorf("heavy lacks %d, light may borrow %d, want 0, 4", heavy.Lacks(), light.Borrowable())
	}
}

func TestAnAccountRestsWhereOneQueueIsLeft(t *testing.T) {
	s, heavy, light := pair(t)
	heavy.HeldSlots, light.WaitingSlots = 12, 12
	heavy.WaitingSlots = 1
	s.Divide(1e9, 12, 0.5)
	s.Leave(light)
	if s.Several() || s.Get("light") != nil {
		t.Fatalf("Several(), Get(light) = %v, %v after it left, want false, nil", s.Several(), s.Get("light"))
	}
	if had, fair := heavy.Slots.Had, heavy.Slots.Fair; math.Abs(had-fair) > 1e-9 {
		t.Errorf("slots that heavy had alone = %v, want its share, %v", had, fair)
	}
}

func TestAnUnmetClaimWaitsLongerEachTime(t *testing.T) {
	var u Unmet
	u.Begin(1, time.Second)
	u.Begin(5, time.Hour)
	if u.Until() != 1+1e9 || u.Due(1e9) || !u.Due(1+1e9) {
		t.Errorf("urgency = %+v, want it due after a second", u)
	}
	now := u.Until()
	for range 20 {
		u.Repeat(now)
		now = u.Until()
	}
	if u.Wait != longestWait {
		t.Errorf("wait after twenty times = %v, want %v", time.Duration(u.Wait), time.Duration(longestWait))
	}
}
