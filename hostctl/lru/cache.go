// Package lru has a small cache of values that take long to load.
package lru

import (
	"container/list"
	"sync"
)

// Cache keeps the values that were used last. It is safe for concurrent use, and its lock is a leaf.
type Cache[K comparable, V any] struct {
	size int
	mu   struct {
		sync.Mutex
		kept  map[K]*list.Element // of order
		order list.List           // of entries, the one used last at the end
	}
}

type entry[K comparable, V any] struct {
	key   K
	value V
}

// New returns a cache of at most size values.
func New[K comparable, V any](size int) *Cache[K, V] {
	c := &Cache[K, V]{size: size}
	c.mu.kept = make(map[K]*list.Element)
	return c
}

// Get returns the value of a key, or calls load and keeps its value if there is none. It keeps no
// failure. Two callers that miss at once both load.
func (c *Cache[K, V]) Get(key K, load func() (V, error)) (V, error) {
	if v, ok := c.find(key); ok {
		return v, nil
	}
	v, err := load()
	if err == nil {
		c.put(key, v)
	}
	return v, err
}

func (c *Cache[K, V]) find(key K) (v V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.mu.kept[key]
	if !ok {
		return v, false
	}
	c.mu.order.MoveToBack(e)
	return e.Value.(*entry[K, V]).value, true
}

func (c *Cache[K, V]) put(key K, v V) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.mu.kept[key]; ok { // another caller missed it, too
		e.Value.(*entry[K, V]).value = v
		c.mu.order.MoveToBack(e)
		return
	}
	c.mu.kept[key] = c.mu.order.PushBack(&entry[K, V]{key, v})
	if c.mu.order.Len() > c.size {
		oldest := c.mu.order.Remove(c.mu.order.Front()).(*entry[K, V])
		delete(c.mu.kept, oldest.key)
	}
}
