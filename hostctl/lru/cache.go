// Package lru has a small cache of values that take long to load.
package lru

import (
	"slices"
	"sync"
)

// Cache keeps the values that were used last. It is safe for concurrent use, and its lock is a leaf.
type Cache[K comparable, V any] struct {
	size int
	mu   struct {
		sync.Mutex
		values map[K]V
		order  []K // the key used last at the end
	}
}

// New returns a cache of at most size values.
func New[K comparable, V any](size int) *Cache[K, V] {
	c := &Cache[K, V]{size: size}
	c.mu.values = make(map[K]V)
	return c
}

// Get returns the value of a key, or calls load and keeps its value if there is none. It keeps no
// failure. Two callers that miss at once both load.
func (c *Cache[K, V]) Get(key K, load func() (V, error)) (V, error) {
	c.mu.Lock()
	v, ok := c.mu.values[key]
	if ok {
		c.touchLocked(key)
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

func (c *Cache[K, V]) put(key K, v V) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.mu.values[key] = v
	c.touchLocked(key)
	if len(c.mu.order) > c.size {
		delete(c.mu.values, c.mu.order[0])
		c.mu.order = slices.Delete(c.mu.order, 0, 1)
	}
}

// touchLocked makes key the one used last. c.mu is held.
func (c *Cache[K, V]) touchLocked(key K) {
	if n := len(c.mu.order); n > 0 && c.mu.order[n-1] == key {
		return // the usual case: many tasks of one job
	}
	c.mu.order = append(slices.DeleteFunc(c.mu.order, func(k K) bool { return k == key }), key)
}
