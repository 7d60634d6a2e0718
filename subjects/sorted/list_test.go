package sorted

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// A list behaves like a sorted slice.
func TestAListIsASortedSlice(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	l, twin := New[int, struct{}](cmp.Compare[int]), []int{}
	for step := range 60_000 {
		item := rng.IntN(4 * most)
		if step < 8*most {
			item = 4*most + step // in order
		}
		want, there := slices.BinarySearch(twin, item)
		if step < 8*most || rng.IntN(5) > 1 {
			if !there {
				twin = slices.Insert(twin, want, item)
			}
			l.Insert(item)
			continue
		}
		if there {
			twin = slices.Delete(twin, want, want+1)
		}
		if found := l.Remove(item); found != there {
			t.Fatalf("step %d: %d was there: %v, want %v", step, item, found, there)
		}
		if step%1000 == 0 {
			keep := func(x int) bool { return x%11 != step/1000%11 && x/most != step/1000%5 }
			l.Keep(keep)
			twin = slices.DeleteFunc(twin, func(x int) bool { return !keep(x) })
			compare(t, &l, twin)
		}
	}
	compare(t, &l, twin)
}

func compare(t *testing.T, l *List[int, struct{}], twin []int) {
	t.Helper()
	if got := slices.Collect(l.All()); !slices.Equal(got, twin) || l.Len() != len(twin) {
		t.Fatalf("All() = %v, Len() = %d, want %v", got, l.Len(), twin)
	}
	back := slices.Collect(l.Backward())
	slices.Reverse(back)
	if !slices.Equal(back, twin) {
		t.Fatalf("Backward() = %v, want %v", back, twin)
	}
	for i, item := range twin {
		if l.At(i) != item || !l.Has(item) {
			t.Fatalf("item %d is %d, want %d", i, l.At(i), item)
		}
		if rest := slices.Collect(l.From(i)); !slices.Equal(rest, twin[i:]) {
			t.Fatalf("from %d on are %d items, want %d", i, len(rest), len(twin)-i)
		}
		for back := range l.BackwardFrom(i + 1) {
			if back != item {
				t.Fatalf("back from %d begins with %d, want %d", i+1, back, item)
			}
			break
		}
		if n := l.Before(func(x int) bool { return x >= item }); n != i {
			t.Fatalf("%d are before %d, want %d", n, item, i)
		}
	}
}

func TestAnEmptyList(t *testing.T) {
	l := New[int, struct{}](cmp.Compare[int])
	_, first := l.First()
	_, last := l.Last()
	if l.Remove(1) || first || last || l.Has(1) || l.Len() != 0 {
		t.Errorf("an empty list: First, Last, Has, Len = %v, %v, %v, %d, want nothing", first, last, l.Has(1), l.Len())
	}
	l.Insert(1)
	l.Remove(1)
	if _, first = l.First(); first || l.Len() != 0 {
		t.Errorf("after Remove: First, Len = %v, %d, want nothing", first, l.Len())
	}
}
