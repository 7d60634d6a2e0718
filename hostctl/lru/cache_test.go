package lru

import (
	"errors"
	"testing"
)

func TestTheValueUsedLongestAgoIsDropped(t *testing.T) {
	c := New[string, int](2)
	loads := 0
	get := func(key string) {
		t.Helper()
		if _, err := c.Get(key, func() (int, error) { loads++; return loads, nil }); err != nil {
			t.Fatal(err)
		}
	}
	for _, key := range []string{"a", "b", "a", "c", "a", "b"} {
		get(key)
	}
	if loads != 4 { // b was dropped for c
		t.Errorf("%d values were loaded, want 4", loads)
	}
}

func TestAFailureIsNotKept(t *testing.T) {
	c := New[string, int](1)
	failure := errors.New("not now")
	if _, err := c.Get("a", func() (int, error) { return 0, failure }); !errors.Is(err, failure) {
		t.Errorf("Get(a) after a failure = %v, want %v", err, failure)
	}
	if v, err := c.Get("a", func() (int, error) { return 7, nil }); v != 7 || err != nil {
		t.Errorf("Get(a) = %d, %v, want 7", v, err)
	}
}

// Each task of a reduce stage asks for the manifests of all tasks of the map stage, one after the other.
func BenchmarkGetInTurns(b *testing.B) {
	const kept = 200
	c := New[int, int](512)
	load := func() (int, error) { return 1, nil }
	for i := 0; b.Loop(); i++ {
		_, _ = c.Get(i%kept, load) // load does not fail
	}
}
