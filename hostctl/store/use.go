package store

import (
	"path/filepath"
	"sync"
)

// users counts the attempts that the agent works on by their task's folder, so that an ending
// attempt does not remove a folder that another uses.
type users struct {
	sync.Mutex
	of map[string]int
}

// Hold keeps the task's folder until Clear. Make does it too; it is for
// attempts that an earlier agent made.
func (f Folder) Hold() {
	u := &f.store.users
	u.Lock()
	u.of[filepath.Dir(f.Path)]++
	u.Unlock()
}

// release ends an attempt's use of the task's folder. If no other attempt uses it, release calls
// last before another can.
func (f Folder) release(last func()) {
	u, task := &f.store.users, filepath.Dir(f.Path)
	u.Lock()
	defer u.Unlock()
	if u.of[task]--; u.of[task] <= 0 {
		delete(u.of, task)
		last()
	}
}
