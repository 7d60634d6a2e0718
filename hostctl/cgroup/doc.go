// Package cgroup keeps batch tasks in control groups, with whatever the kernel
// at hand has for it.
//
// Hosts differ: cgroup v2 alone, v1 alone, both at once (controllers on v1
// beside a unified tree without any), or none that we may write. So there is
// no list of flavours. Detect looks for each capability by itself, by the file
// that carries it, and everything else asks for the capability:
//
//	caps, err := cgroup.Detect("/")
//	tree, err := cgroup.Open(caps, "alpha")   // <mount>/lull/alpha, in each tree used
//	slot, err := tree.Slot(0)                 // <mount>/lull/alpha/slot-0
//	err = slot.Limit(512<<20, 1024)
//	…                                         // a shim runs tasks in it
//	err = slot.Kill(ctx)                      // the whole tree of processes
//	err = tree.Remove(ctx)
//
// The idle class is set once, on the parent that all of lull shares: below it
// slots compete as equals, and all of them together yield to everybody else.
//
// What must have CPU while the primary wants all of it is in a group of ordinary weight
// beside that parent (Beside): the shims. Processes that were killed and are not gone yet
// get reservations (Hurry).
//
// How processes get in: a v1 cgroup is joined (Slot.Joins) by the thread that
// forks them, which they inherit. No process is moved: that can stop every fork of
// the host (Hurry), and costs milliseconds when it does not. A v2
// cgroup (Slot.Unified) is entered by cloning straight into it. Either way the shim
// stays outside and goes on when the slot is frozen or killed. Cloning into a
// cgroup needs Linux 5.7.
//
// The package writes the files itself. The libraries for containers choose one
// manager per host: the v1 manager knows nothing of the unified tree beside
// it, which here carries kill, freeze and pressure, the v2 manager refuses a
// hybrid host, and neither reads below another root than "/".
package cgroup
