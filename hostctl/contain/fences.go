package contain

import (
	"fmt"
	"path/filepath"
	"slices"
)

// Fences reports whether the kernel keeps each task from writing below a folder, except to the
// task's own folders. A path of Write that holds the folder, or lies in it, opens more of it.
func (p Policy) Fences(folder string) bool {
	return p.Mode == Full && p.ABI > 0 && !slices.ContainsFunc(p.Write, func(path string) bool {
		return Within(path, folder) || Within(folder, path)
	})
}

// Hidden returns what the fence keeps tasks from reading; nil where the kernel cannot.
func (p Policy) Hidden() []string {
	if p.Mode != Full || p.ABI == 0 {
		return nil
	}
	return p.Hide
}

// Hides returns the folder or file of Hide that is path or holds it; "" if none does.
func (p Policy) Hides(path string) string {
	path = resolve(path)
	for _, hidden := range p.Hide {
		if Within(hidden, path) {
			return hidden
		}
	}
	return ""
}

// Exposed returns why tasks that run as the agent's user can read what Hide names, which gives them the agent's
// rights; "" if they cannot.
func (p Policy) Exposed() string {
	if !p.User.IsAgent() || len(p.Hide) == 0 {
		return ""
	}
	switch {
	case p.Mode != Full:
		return "contain=" + string(p.Mode)
	case p.ABI == 0:
		return "this kernel has no Landlock (Linux 5.13 with landlock among lsm=)"
	}
	for _, path := range p.Write {
		for _, hidden := range p.Hide {
			if Within(path, hidden) {
				return fmt.Sprintf("tasks may write to %s, which holds %s", path, hidden)
			}
		}
	}
	return ""
}

// Within reports whether a path is a folder or lies below it.
func Within(folder, path string) bool {
	rest, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rest)
}
