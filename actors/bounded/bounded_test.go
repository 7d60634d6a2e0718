package bounded

import (
	"fmt"
	"testing"
)

func TestBounded(t *testing.T) {
	b := New[int, string](3)
	for i := range 5 {
		b.Put(i, fmt.Sprint(i))
	}
	b.Put(3, "three")
	if _, known := b.Get(1); known || len(b.values) != 3 {
		t.Errorf("values = %v, want the last three", b.values)
	}
	if v, ok := b.Take(3); !ok || v != "three" {
		t.Errorf("Take(3) = %q, %v, want three, true", v, ok)
	}
	for i := range 100 { // what was taken must not pile up either
		b.Put(100+i, "")
		b.Take(100 + i)
	}
	if len(b.order) > 6 {
		t.Errorf("keys in order = %d of %d values, want at most 6", len(b.order), len(b.values))
	}
}
