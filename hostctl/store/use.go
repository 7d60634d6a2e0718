package store

import (
	"path/filepath"
	"sync"
)

// users counts the attempts in the agent's hands by their task's folder, so
// that an attempt which ends does not take the folder from under another.
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

// release gives the task's folder up, and calls last, before anybody else can
// hold it, if no attempt does.
func (f Folder) release(last func()) {
	u, task := &f.store.users, filepath.Dir(f.Path)
	u.Lock()
	defer u.Unlock()
	if u.of[task]--; u.of[task] <= 0 {
		delete(u.of, task)
		last()
	}
}
