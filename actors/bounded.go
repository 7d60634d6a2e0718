package actors

// bounded is a map that forgets its oldest keys.
type bounded[K comparable, V any] struct {
	limit  int
	values map[K]V
	order  []K // in order of insertion; may hold keys that are gone
}

func newBounded[K comparable, V any](limit int) bounded[K, V] {
	return bounded[K, V]{limit: limit, values: make(map[K]V)}
}

func (b *bounded[K, V]) get(k K) (V, bool) {
	v, ok := b.values[k]
	return v, ok
}

func (b *bounded[K, V]) put(k K, v V) {
	if _, known := b.values[k]; !known {
		b.order = append(b.order, k)
	}
	b.values[k] = v
	b.forget()
}

func (b *bounded[K, V]) take(k K) (V, bool) {
	v, ok := b.values[k]
	delete(b.values, k)
	return v, ok
}

// forget keeps the values below the limit, and the order below twice that:
// keys that were taken leave a trace in it until then.
func (b *bounded[K, V]) forget() {
	for len(b.values) > b.limit || len(b.order) > 2*b.limit {
		delete(b.values, b.order[0])
		b.order = b.order[1:]
	}
}
