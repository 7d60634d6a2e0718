package core

import (
	"testing"
	"time"
)

// A message was published after the last look at which the inbox ended in front of it. However many
// looks there were, the answer is never later than that.
func TestFloors(t *testing.T) {
	var f floors
	if _, ok := f.publishedAfter(1); ok {
		t.Error("publishedAfter(1) before the first look = true, want false")
	}
	for second := range 10_000 {
		f.observe(uint64(second/2), time.Duration(second)*time.Second) // one message every two seconds
	}
	if len(f.looks) > maxLooks {
		t.Errorf("looks kept = %d, want at most %d", len(f.looks), maxLooks)
	}
	for _, seq := range []uint64{1, 2, 500, 4_999, 5_000, 1 << 40} {
		want := time.Duration(min(2*(seq-1)+1, 9_999)) * time.Second
		at, ok := f.publishedAfter(seq)
		if !ok || at > want || want-at > 2*10_000*time.Second/maxLooks*2 {
			t.Errorf("message %d was published after %v (%v), want at most and about %v", seq, at, ok, want)
		}
	}
	f.discardBefore(4_000)
	f.observe(3, time.Hour*24) // an inbox that shrank tells nothing
	if at, ok := f.publishedAfter(4_000); !ok || at > 7_999*time.Second {
		t.Errorf("publishedAfter(4000) = %v, %v, want at most 7999s, true", at, ok)
	}
}
