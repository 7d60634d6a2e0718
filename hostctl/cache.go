package hostctl

import (
	"slices"
	"sync"
)

// cache keeps the few values used last. A failure is not kept.
type cache[K comparable, V any] struct {
	size int
	mu   *sync.Mutex
	at   map[K]V
	// order holds the keys, the one used last at the end.
	order []K
}

func newCache[K comparable, V any](size int) cache[K, V] {
	return cache[K, V]{size: size, mu: new(sync.Mutex), at: make(map[K]V)}
}

// get returns the value of a key, made by load if it is not there. Two who
// miss at once both load.
func (c *cache[K, V]) get(key K, load func() (V, error)) (V, error) {
	c.mu.Lock()
	v, ok := c.at[key]
	if ok {
		c.touch(key)
	}
	c.mu.Unlock()
	if ok {
		return v, nil
	}
	v, err := load()
	if err == nil {
		c.put(key, v)
	}
	return v, err
}

func (c *cache[K, V]) put(key K, v V) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at[key] = v
	c.touch(key)
	if len(c.order) > c.size {
		delete(c.at, c.order[0])
		c.order = slices.Delete(c.order, 0, 1)
	}
}

func (c *cache[K, V]) touch(key K) {
	if n := len(c.order); n > 0 && c.order[n-1] == key {
		return // the usual case: many tasks of one job
	}
	c.order = append(slices.DeleteFunc(c.order, func(k K) bool { return k == key }), key)
}
