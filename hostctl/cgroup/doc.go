// Package cgroup keeps batch tasks in control groups, by whatever mechanisms the host's kernel has.
//
// Hosts differ: cgroup v2 alone, v1 alone, both at once (controllers on v1 beside a unified tree
// without any), or none that lull may write. So there is no list of flavours. Detect looks for each
// capability separately, by the file that carries it. Everything else asks for the capability:
//
//	caps, err := cgroup.Detect("/")
//	tree, err := cgroup.Open(caps, "alpha")   // <mount>/lull/alpha, in each tree used
//	slot, err := tree.Slot(0)                 // <mount>/lull/alpha/slot-0
//	err = slot.Limit(512<<20, 1024)
//	…                                         // a shim runs tasks in it
//	err = slot.Kill(ctx)                      // the whole tree of processes
//	err = tree.Remove(ctx)
//
// The idle class is set once, on the parent that all of lull shares. Below it slots compete as
// equals, and all of them together yield to every other process.
//
// The shims must have CPU while the primary wants all of it. They are in a group of ordinary weight
// beside that parent (OrdinaryParent). Killed processes that have not ended yet get reservations (Dying).
//
// A v1 cgroup is joined (Slot.Joins) by the thread that forks the task's process, which inherits
// it. No process is moved: a move can stop every fork of the host (Dying), and costs milliseconds
// otherwise. A v2 cgroup (Slot.Unified) is entered by cloning straight into it, which needs Linux
// 5.7. Either way the shim stays outside and goes on when the slot is frozen or killed.
//
// The package writes the files itself. The container libraries choose one manager per host. Their
// v1 manager ignores the unified tree beside it, which here carries kill, freeze and pressure.
// Their v2 manager refuses a hybrid host. Neither reads below another root than "/".
package cgroup
