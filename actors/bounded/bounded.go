// Package bounded has a map that forgets its oldest keys.
package bounded

// Map forgets its oldest keys when it has too many, or values of too many bytes. Make it
// with New.
type Map[K comparable, V any] struct {
	limit  int
	values map[K]V
	order  []K // in order of insertion; may hold keys that are gone
	most   int // bytes of all values, 0 for no limit
	size   func(V) int
	bytes  int
}

// New returns a map of at most limit keys.
func New[K comparable, V any](limit int) Map[K, V] {
	return Map[K, V]{limit: limit, values: make(map[K]V), size: func(V) int { return 0 }}
}

// Weigh also bounds the bytes of all values; size returns those of one.
func (b *Map[K, V]) Weigh(most int, size func(V) int) { b.most, b.size = most, size }

// Get returns the value of a key, false if there is none.
func (b *Map[K, V]) Get(k K) (V, bool) {
	v, ok := b.values[k]
	return v, ok
}

// Put sets the value of a key. A new key is the youngest.
func (b *Map[K, V]) Put(k K, v V) {
	old, known := b.values[k]
	if known {
		b.bytes -= b.size(old)
	} else {
		b.order = append(b.order, k)
	}
	b.values[k] = v
	b.bytes += b.size(v)
	b.forget()
}

// Take removes a key and returns its value.
func (b *Map[K, V]) Take(k K) (V, bool) {
	v, ok := b.values[k]
	if ok {
		b.bytes -= b.size(v)
	}
	delete(b.values, k)
	return v, ok
}

// forget keeps the values below the limits, and the order below twice that:
// keys that were taken stay in it until then.
func (b *Map[K, V]) forget() {
	for len(b.values) > b.limit || len(b.order) > 2*b.limit || b.most > 0 && b.bytes > b.most {
		b.Take(b.order[0])
		b.order = b.order[1:]
	}
}

// Len is the number of keys.
func (b *Map[K, V]) Len() int { return len(b.values) }

// Bytes is the size of all values, as Weigh counts it.
func (b *Map[K, V]) Bytes() int { return b.bytes }
