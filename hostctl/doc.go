// Package hostctl is the agent of a host: it runs the tasks that the log
// assigns to it in the background class, and reports what became of them.
//
//	agent, err := hostctl.New(hostctl.Config{Bus: bus, Lookup: lookup, Host: "alpha", Data: "/var/lib/lull"})
//	err = agent.Run(ctx)       // until ctx ends; then it leaves, see Config.Stay
//
// What to do is decided by package actor, a pure fold of the facts about this
// host. The agent is its shell and its hands:
//
//	log ──▶ actors/shell ──▶ actor.Actor
//	            ▲ Report       │ Start, Kill, Freeze …
//	            │              ▼
//	         attempt: folders ▶ inputs ▶ shim ▶ exit ▶ outputs hashed, synced
//
// Every attempt is one goroutine; fetching, hashing and waiting happen there,
// never on the actor's loop. Tasks run under one shim a slot, which outlives
// the agent: a new agent adopts what runs.
//
// # Rooms
//
//	slots                             a host's slots, their freezing and their CPU caps
//	pacing, guarding, spreading       the loops of pace, guard and spread
//	disk, telemetry                   the reserve of free disk space; heartbeats and samples for people
//	inputs, environ                   what a task reads; the environment that it sees
//	store, kept                       outputs on the disk; which of them are missing, damaged or not needed
//	fileserver, ticket                reading outputs and logs by HTTP with a ticket
//	queries                           questions to the slotter
//	snapshots                         the snapshots of the host's actor, on the host's disk
//	sense, host                       the primary's waits; agent and monitor in one process
//
// The root composes them: Agent has what an attempt needs from all of them.
//
// # Locks
//
// A goroutine that holds one of these locks may take those further down, never those above:
//
//	pacing.Pacer.mu    tasks that are paced
//	slots.Slot         its gate, then its mu; slots.Caps has a lock of its own
//	run.mu             what became of one attempt so far
//	Agent.mu           runs and found attempts, the shell
//
// The locks of guarding.Guardian, kept.Keeper, disk.Monitor, slots.Freezer, telemetry.Beats and
// lru.Cache are leaves: their holders take no other.
// Agent.slots grows in adopt alone, before the goroutines start that read it without a lock.
// A run's slot and folder are set before it enters Agent.mu.runs, and read without a lock then.
//
// # What a task may
//
// It writes to its working folder, LULL_OUT, LULL_CHECKPOINT and /dev/null, and
// to what Config.TaskWrite adds; it reads what its user may. That is nobody if
// the agent is root. It signals and traces only what it started, and gains no
// rights. Where the kernel cannot hold it to that, `lull doctor` says so. Its
// committed files become the agent's, so no later task can change them.
package hostctl
