// Package shim runs the tasks of one slot in a process of its own, one task at a time. The process
// outlives the agent that started it.
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
// The shim is one thread around poll(2): the socket, the task's pidfd and its output pipes. A
// separate thread forks each task. It takes on what the task inherits (priority, no_new_privs, the
// fence around its folders) and then ends, because none of that can be undone. The thread costs 0.1
// ms of CPU, all of a start 0.2–0.3 ms. It leaves the v1 freezer after the fork: a thread stopped
// inside Go's runtime stops the whole program, and nothing could thaw it.
//
// SIGTERM goes to all processes of the task, and its grace is that of all: a shell that dies of the signal
// does not take the time from the program that it started. See grace.go.
//
// A task has no session of its own but the slot's: without an idle cgroup the
// kernel weighs sessions, see fork.
//
// Everything that a task starts dies with it. The shim is the subreaper of its descendants. So a
// daemon becomes its child and cannot hide: wait4 without children returns ECHILD, which is the
// cheapest possible check that no process is left. A v2 cgroup is frozen before its processes are
// killed, so that none forks away.
//
// Output is bounded: the first half of the bound is written as it arrives, and of the rest the
// newest half is kept, see log.
//
// A shim ends by Quit. It also ends when nothing runs and no agent has been connected for
// Config.Idle (Config.Keep if an end was not acknowledged). And it ends when no agent can ever
// connect, because its folder was removed.
package shim
