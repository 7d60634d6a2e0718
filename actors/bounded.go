package actors

// bounded is a map that forgets its oldest keys.
type bounded[K comparable, V any] struct {
	limit  int
	values map[K]V
	order  []K // in order of insertion; may hold keys that are gone
	most   int // bytes of all values, 0 for no limit
	size   func(V) int
	bytes  int
}

func newBounded[K comparable, V any](limit int) bounded[K, V] {
	return bounded[K, V]{limit: limit, values: make(map[K]V), size: func(V) int { return 0 }}
}

// weigh also bounds the bytes of all values; size returns those of one.
func (b *bounded[K, V]) weigh(most int, size func(V) int) { b.most, b.size = most, size }

func (b *bounded[K, V]) get(k K) (V, bool) {
	v, ok := b.values[k]
	return v, ok
}

func (b *bounded[K, V]) put(k K, v V) {
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

func (b *bounded[K, V]) take(k K) (V, bool) {
	v, ok := b.values[k]
	if ok {
		b.bytes -= b.size(v)
	}
	delete(b.values, k)
	return v, ok
}

// forget keeps the values below the limits, and the order below twice that:
// keys that were taken stay in it until then.
func (b *bounded[K, V]) forget() {
	for len(b.values) > b.limit || len(b.order) > 2*b.limit || b.most > 0 && b.bytes > b.most {
		b.take(b.order[0])
		b.order = b.order[1:]
	}
}
