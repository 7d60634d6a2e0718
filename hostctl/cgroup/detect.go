package cgroup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Detect finds the capabilities of the host below root. It reads <root>/proc/self/mountinfo and
// looks into the group "lull" of each hierarchy, because several files exist in no root group. It
// makes that group if it is missing, and removes it again. A host without usable cgroups is no
// error; see Notes.
func Detect(root string) (Capabilities, error) {
	c := Capabilities{Root: root}
	mounts, err := readFile(dir(c.path("proc/self")), "mountinfo", parseMounts)
	if err != nil {
		return c, fmt.Errorf("find cgroups: %w (is /proc mounted?)", err)
	}
	var forbidden []string
	for _, m := range mounts {
		m.point = c.path(m.point)
		switch err := c.probe(m); {
		case errors.Is(err, fs.ErrPermission):
			forbidden = append(forbidden, m.point)
		case err != nil:
			c.Notes = append(c.Notes, fmt.Sprintf("cgroup v%d at %s cannot be used: %v", m.version, m.point, err))
		}
	}
	if len(forbidden) > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("cgroups that this user (uid %d) may not use: %s", os.Geteuid(), strings.Join(forbidden, ", ")))
	}
	if len(c.mounts()) == 0 { // nothing distinguishes one slot's tasks from another's
		c.Cores, c.DiskCap = Mechanism{}, Mechanism{}
	}
	c.CPUs = c.online()
	c.System = dir(c.path("proc/pressure")).has("cpu")
	on, _ := os.ReadFile(c.path("proc/sys/kernel/sched_autogroup_enabled"))
	c.Autogroup = strings.TrimSpace(string(on)) == "1"
	return c, nil
}

// path places a host's path below the root.
func (c Capabilities) path(p string) string { return filepath.Join(c.Root, p) }

// probe takes from one hierarchy what it has. It fails if the hierarchy cannot be used.
func (c *Capabilities) probe(m mount) error {
	parent := dir(m.point).sub(Parent)
	if m.version == 2 {
		delegateControllers(dir(m.point))
	}
	created, err := parent.make()
	if err == nil && !created {
		err = parent.tryChild()
	}
	if err != nil {
		return err
	}
	c.takeFrom(m, parent)
	if created {
		_ = parent.remove() // not empty: an agent has moved in meanwhile
	}
	return nil
}

// takeFrom takes each capability that this hierarchy has, and has better than what
// was found before.
func (c *Capabilities) takeFrom(m mount, parent dir) {
	own := false // the hierarchy holds a group a slot
	for _, w := range detectors {
		if choice, ok := w.fileIn(m, parent); ok && (!w.shared || m.version == 2) {
			own = true
			c.prefer(w, Mechanism{Version: m.version, Mount: m.point, File: choice})
		}
	}
	for _, w := range detectors {
		if choice, ok := w.fileIn(m, parent); ok && w.shared && m.version == 1 {
			c.share(w, Mechanism{Version: m.version, Mount: m.point, File: choice}, own)
		}
	}
}

// share takes what needs one group for all slots, unless its hierarchy also
// carries what needs a group for each.
func (c *Capabilities) share(w detector, m Mechanism, own bool) {
	if own {
		c.Notes = append(c.Notes, fmt.Sprintf("%s at %s goes unused: it is mounted together with other controllers", m.File, m.Mount))
		return
	}
	c.prefer(w, m)
}

// prefer sets a capability, unless it is had as well already.
func (c *Capabilities) prefer(w detector, m Mechanism) {
	into := w.into(c)
	for _, choice := range w.choices {
		if into.OK() && into.Version == choice.version {
			return
		}
		if choice.version == m.Version {
			*into = m
			return
		}
	}
}

// fileIn is the file of a hierarchy that carries the capability.
func (w detector) fileIn(m mount, parent dir) (file string, ok bool) {
	for _, choice := range w.choices {
		if choice.version == m.version && parent.has(choice.file) {
			return choice.file, true
		}
	}
	return "", false
}

// delegateControllers hands the controllers we use to the groups below a v2 group. Each
// is asked for alone, because one that v1 holds would refuse the rest; what
// is refused shows as a file that is missing.
func delegateControllers(d dir) {
	for _, controller := range []string{"cpu", "cpuset", "io", "memory", "pids"} {
		_ = d.write("cgroup.subtree_control", "+"+controller)
	}
}
