// Package sorted keeps long lists in order: a queue of a million jobs, from
// which any may leave. In a slice, each job's end would move half of it.
//
//	List ──▶ Block ──▶ up to 512 items, in order
//	     ──▶ Block ──▶ …
package sorted

import (
	"iter"
	"slices"
	"sort"
)

// most is the number of items at which a block is split.
const most = 512

// List is a list in the order of compare. Adding and removing cost O(log n) and
// the move of half a block. S is what is kept of each block as a whole; use
// struct{} for nothing. The zero value is not ready: use New.
type List[T, S any] struct {
	compare func(T, T) int
	blocks  []*Block[T, S]
	n       int
}

// Block is a part of a list.
type Block[T, S any] struct {
	// Items are in order, at least one. Do not change them.
	Items []T
	// Sum is what the list's owner notes of the items. Fresh is false when they
	// have changed since.
	Sum   S
	Fresh bool
}

// New returns an empty list. Items that compare as 0 are the same.
func New[T, S any](compare func(T, T) int) List[T, S] { return List[T, S]{compare: compare} }

// Len is the number of items.
func (l *List[T, S]) Len() int { return l.n }

// Insert adds an item, unless it is there.
func (l *List[T, S]) Insert(item T) {
	if l.n == 0 {
		l.blocks, l.n = append(l.blocks, &Block[T, S]{Items: []T{item}}), 1
		return
	}
	b, i, found := l.find(item)
	if found {
		return
	}
	l.n++
	block := l.blocks[b]
	if i == most { // what comes in order leaves full blocks behind
		l.blocks = append(l.blocks, &Block[T, S]{Items: append(make([]T, 0, most), item)})
		return
	}
	if len(block.Items) == most {
		b, i = l.split(b, i)
		block = l.blocks[b]
	}
	block.Items, block.Fresh = slices.Insert(block.Items, i, item), false
}

// split halves block b, and says where its item i is now.
func (l *List[T, S]) split(b, i int) (block, item int) {
	full := l.blocks[b]
	upper := &Block[T, S]{Items: append(make([]T, 0, most), full.Items[most/2:]...)}
	clear(full.Items[most/2:])
	full.Items, full.Fresh = full.Items[:most/2], false
	l.blocks = slices.Insert(l.blocks, b+1, upper)
	if i > most/2 {
		return b + 1, i - most/2
	}
	return b, i
}

// Remove takes an item out, and reports whether it was there.
func (l *List[T, S]) Remove(item T) bool {
	if l.n == 0 {
		return false
	}
	b, i, found := l.find(item)
	if !found {
		return false
	}
	block := l.blocks[b]
	block.Items, block.Fresh = slices.Delete(block.Items, i, i+1), false
	if len(block.Items) == 0 {
		l.blocks = slices.Delete(l.blocks, b, b+1)
	}
	l.n--
	return true
}

// Has reports whether the item is there.
func (l *List[T, S]) Has(item T) bool {
	if l.n == 0 {
		return false
	}
	_, _, found := l.find(item)
	return found
}

// Before is how many items there are for which past is false. It must be false
// for the first of them and true for the rest.
func (l *List[T, S]) Before(past func(T) bool) int {
	b := sort.Search(len(l.blocks), func(b int) bool {
		items := l.blocks[b].Items
		return past(items[len(items)-1])
	})
	if b == len(l.blocks) {
		return l.n
	}
	items := l.blocks[b].Items
	return l.rank(b, sort.Search(len(items), func(i int) bool { return past(items[i]) }))
}

// find returns where the item is, or would be.
func (l *List[T, S]) find(item T) (b, i int, found bool) {
	b = sort.Search(len(l.blocks)-1, func(b int) bool {
		items := l.blocks[b].Items
		return l.compare(items[len(items)-1], item) >= 0
	})
	i, found = slices.BinarySearchFunc(l.blocks[b].Items, item, l.compare)
	return b, i, found
}

func (l *List[T, S]) rank(b, i int) int {
	for _, block := range l.blocks[:b] {
		i += len(block.Items)
	}
	return i
}

// At returns the item before which there are i others.
func (l *List[T, S]) At(i int) T {
	for _, block := range l.blocks {
		if i < len(block.Items) {
			return block.Items[i]
		}
		i -= len(block.Items)
	}
	panic("sorted: there are not so many items")
}

// First returns the first item, if there is one.
func (l *List[T, S]) First() (item T, ok bool) {
	if l.n == 0 {
		return item, false
	}
	return l.blocks[0].Items[0], true
}

// Last returns the last item, if there is one.
func (l *List[T, S]) Last() (item T, ok bool) {
	if l.n == 0 {
		return item, false
	}
	items := l.blocks[len(l.blocks)-1].Items
	return items[len(items)-1], true
}

// Blocks are the parts of the list, in order. Do not change them.
func (l *List[T, S]) Blocks() []*Block[T, S] { return l.blocks }

// Touch notes that what an item is made of has changed, though not its place.
func (l *List[T, S]) Touch(item T) {
	if l.n == 0 {
		return
	}
	if b, _, found := l.find(item); found {
		l.blocks[b].Fresh = false
	}
}

// All are the items, in order. The list must not change meanwhile.
func (l *List[T, S]) All() iter.Seq[T] {
	return func(yield func(T) bool) {
		for _, block := range l.blocks {
			for _, item := range block.Items {
				if !yield(item) {
					return
				}
			}
		}
	}
}

// Backward are the items, the last first. The list must not change meanwhile.
func (l *List[T, S]) Backward() iter.Seq[T] { return l.BackwardFrom(l.n) }

// BackwardFrom are the first n items, the last of them first. The list must not
// change meanwhile.
func (l *List[T, S]) BackwardFrom(n int) iter.Seq[T] {
	return func(yield func(T) bool) {
		behind := l.n - n
		for _, block := range slices.Backward(l.blocks) {
			items := block.Items[:max(len(block.Items)-behind, 0)]
			behind -= len(block.Items) - len(items)
			for _, item := range slices.Backward(items) {
				if !yield(item) {
					return
				}
			}
		}
	}
}
