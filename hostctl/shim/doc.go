// Package shim runs the tasks of one slot in a process of its own, one task at
// a time, which outlives the agent that started it.
//
// The agent's side is a Client:
//
//	c, err := shim.Launch(ctx, shim.Config{Dir: dir, Slot: slot}) // starts one, or adopts the living one
//	hello := c.Hello()          // what runs, which ends were not acknowledged yet
//	err = c.Start(shim.Task{Attempt: 7, Argv: []string{"sort"}, Stdout: …})
//	for e := range c.Events() { // Started, Exited, StartFailed; closed when the connection is lost
//		…
//		err = c.Ack(7)      // after the end is in the log: the shim forgets it
//	}
//	c.Close()                   // leaves shim and task running, or
//	c.Quit()                    // ends both
//
// One shim per slot serves all its tasks, because starting a Go program for
// each costs 3 ms, where fork and exec cost 0.65 ms:
//
//	             Start          main process ended         none left
//	idle ──────────────▶ running ─────────────▶ clearing ─────────────▶ idle
//	  │                     │  Kill, timeout       ▲                  Exited
//	  │ exec fails          ├──▶ TERM, grace ──────┤
//	  ▼                     └──▶ input broken ─────┘
//	StartFailed
//
// The shim is one thread around poll(2): the socket, the task's pidfd and its
// output pipes. Each task is forked by a thread of its own, which takes on what
// the task shall inherit (priority, no_new_privs, the fence around its folders)
// and then ends, since none of that is ever taken back. The thread costs 0.1 ms
// of CPU, all of it 0.2–0.3. It leaves the v1 freezer when it has forked: a thread stopped in
// the middle of Go's runtime stops the whole program, and none would be left to thaw it.
//
// A task has no session of its own but the slot's: without an idle cgroup the
// kernel weighs sessions, see fork.
//
// Everything that a task starts dies with it. The shim is the subreaper of its
// descendants, so a daemon becomes its child and can neither hide nor stay
// unnoticed: wait4 without children says ECHILD, which is the cheapest possible
// check that no process is left. Where there is a v2 cgroup, it is frozen before its
// processes are killed, so that none forks away.
//
// Output is bounded: the first half of the bound goes to the file as it comes,
// of the rest the newest half is kept, see log.
//
// A shim ends by Quit, or when nothing runs and no agent has been connected
// for Config.Idle (Config.Keep if an end was not acknowledged), or can ever be,
// because its folder was removed.
package shim
