// Package sorted keeps long lists in order, such as a queue of a million jobs, any of
// which may leave. In a slice, each removal would move half of the list.
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

// List is a list in the order of compare. Adding and removing take O(log n) and move half
// a block. S is a summary that the owner keeps of each block; use struct{} for none. The
// zero value is not ready: use New.
type List[T, S any] struct {
	compare func(T, T) int
	blocks  []*Block[T, S]
	n       int
}

// Block is a part of a list.
type Block[T, S any] struct {
	// Items are in order, at least one. Do not change them.
	Items []T
	// Sum is the owner's summary of the items. Fresh is false if they have changed
	// since it was computed.
	Sum   S
	Fresh bool
}

// New returns an empty list. Items that compare as 0 are the same.
func New[T, S any](compare func(T, T) int) List[T, S] { return List[T, S]{compare: compare} }

// Len is the number of items.
func (l *List[T, S]) Len() int { return l.n }

// Insert adds an item, unless the list has one that compares as equal.
func (l *List[T, S]) Insert(item T) {
	if l.n == 0 {
		l.blocks, l.n = append(l.blocks, &Block[T, S]{Items: []T{item}}), 1
		return
	}
	b, i, found := l.place(item)
	if found {
		return
	}
	l.n++
	block := l.blocks[b]
	if i == most { // after the end of a full block: start a new one, so that items added in order fill blocks
		l.blocks = append(l.blocks, &Block[T, S]{Items: append(make([]T, 0, most), item)})
		return
	}
	if len(block.Items) == most {
		b, i = l.split(b, i)
		block = l.blocks[b]
	}
	block.Items, block.Fresh = slices.Insert(block.Items, i, item), false
}

// split halves block b and returns the new place of its item i.
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

// Remove removes an item and reports whether it was there.
func (l *List[T, S]) Remove(item T) bool {
	if l.n == 0 {
		return false
	}
	b, i, found := l.position(item)
	if !found {
		return false
	}
	block := l.blocks[b]
	block.Fresh = false
	if i == 0 { // queues lose their first items, and the others need not move up
		clear(block.Items[:1])
		block.Items = block.Items[1:]
	} else {
		block.Items = slices.Delete(block.Items, i, i+1)
	}
	if len(block.Items) == 0 {
		l.blocks = slices.Delete(l.blocks, b, b+1)
	}
	l.n--
	return true
}

// Keep removes all items for which keep is false.
func (l *List[T, S]) Keep(keep func(T) bool) {
	l.n = 0
	for _, block := range l.blocks {
		before := len(block.Items)
		block.Items = slices.DeleteFunc(block.Items, func(item T) bool { return !keep(item) })
		block.Fresh = block.Fresh && len(block.Items) == before
		l.n += len(block.Items)
	}
	l.blocks = slices.DeleteFunc(l.blocks, func(b *Block[T, S]) bool { return len(b.Items) == 0 })
}

// Has reports whether the item is there.
func (l *List[T, S]) Has(item T) bool {
	_, found := l.Find(item)
	return found
}

// Find returns the item of the list that compares as equal to like.
func (l *List[T, S]) Find(like T) (item T, found bool) {
	if l.n == 0 {
		return item, false
	}
	b, i, found := l.position(like)
	if found {
		item = l.blocks[b].Items[i]
	}
	return item, found
}

// Before is the number of items before the first one for which past is true. past must
// be true for all items after that.
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

// place is position, but faster for an item that comes after all others.
func (l *List[T, S]) place(item T) (b, i int, found bool) {
	b = len(l.blocks) - 1
	items := l.blocks[b].Items
	if i = len(items); l.compare(items[i-1], item) < 0 {
		return b, i, false
	}
	return l.position(item)
}

// position returns where the item is, or would be.
func (l *List[T, S]) position(item T) (b, i int, found bool) {
	b = sort.Search(len(l.blocks)-1, func(b int) bool {
		items := l.blocks[b].Items
		return l.compare(items[len(items)-1], item) >= 0
	})
	i, found = slices.BinarySearchFunc(l.blocks[b].Items, item, l.compare)
	return b, i, found
}

// rank returns the index in the list of item i of block b.
func (l *List[T, S]) rank(b, i int) int {
	for _, block := range l.blocks[:b] {
		i += len(block.Items)
	}
	return i
}

// At returns the item with index i.
func (l *List[T, S]) At(i int) T {
	for _, block := range l.blocks {
		if i < len(block.Items) {
			return block.Items[i]
		}
		i -= len(block.Items)
	}
	panic("sorted: index out of range")
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

// Touch marks the block of an item as changed. The item's place must be the same.
func (l *List[T, S]) Touch(item T) {
	if l.n == 0 {
		return
	}
	if b, _, found := l.position(item); found {
		l.blocks[b].Fresh = false
	}
}

// All yields the items in order. The list must not change meanwhile.
func (l *List[T, S]) All() iter.Seq[T] { return l.From(0) }

// From yields the items in order, without the first n. The list must not change meanwhile.
func (l *List[T, S]) From(n int) iter.Seq[T] {
	return func(yield func(T) bool) {
		before := n
		for _, block := range l.blocks {
			items := block.Items[min(before, len(block.Items)):]
			before -= len(block.Items) - len(items)
			for _, item := range items {
				if !yield(item) {
					return
				}
			}
		}
	}
}

// Backward yields the items, the last first. The list must not change meanwhile.
func (l *List[T, S]) Backward() iter.Seq[T] { return l.BackwardFrom(l.n) }

// BackwardFrom yields the first n items, the last of them first. The list must not change
// meanwhile.
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
