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
		t.Errorf("holds %v", b.values)
	}
	if v, ok := b.Take(3); !ok || v != "three" {
		t.Errorf("took %q, %v", v, ok)
	}
	for i := range 100 { // what was taken must not pile up either
		b.Put(100+i, "")
		b.Take(100 + i)
	}
	if len(b.order) > 6 {
		t.Errorf("%d keys of %d values", len(b.order), len(b.values))
	}
}
