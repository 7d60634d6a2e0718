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
		t.Errorf("got %v", err)
	}
	if v, err := c.Get("a", func() (int, error) { return 7, nil }); v != 7 || err != nil {
		t.Errorf("got %d, %v", v, err)
	}
}
