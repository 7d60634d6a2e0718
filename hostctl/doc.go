// Package hostctl is the agent of a host: it runs the tasks that the log assigns to the host in the
// background class, and reports how they ended.
//
//	agent, err := hostctl.New(hostctl.Config{Bus: bus, Lookup: lookup, Host: "alpha", Data: "/var/lib/lull"})
//	err = agent.Run(ctx)       // until ctx ends; then it leaves, see Config.Stay
//
// Package actor decides what to do; it is a pure fold of the facts about this host. The agent
// performs these actions through the packages listed below:
//
//	log ──▶ actors/shell ──▶ actor.Actor
//	            ▲ Report       │ Start, Kill, Freeze …
//	            │              ▼
//	       attempts · freezer · pacer · guardian · kept · disk
//
// The root composes these packages and runs the host's actor, term by term. Nothing
// else is done here.
//
// # Packages
//
//	attempts                          an attempt from its assignment to its end, one goroutine each
//	inputs, environ                   what a task reads; the environment that it sees
//	slots                             a host's slots, their freezing and their CPU caps
//	pacing, guarding, spreading       the loops of pace, guard and spread
//	speeds, telemetry                 how fast tasks read; heartbeats and samples for people
//	store, kept, disk                 outputs; which of them are missing, damaged or not needed; free space
//	fileserver, ticket                reading outputs and logs by HTTP with a ticket
//	queries                           questions to the slotter
//	snapshots                         the snapshots of the host's actor, on the host's disk
//	sense, host                       the primary's waits; agent and monitor in one process
//
// # Locks
//
// A goroutine that has one of these locks may take those further down, never those above:
//
//	pacing.Pacer.mu       tasks that are paced
//	slots.Slot            its gate, then its mu
//	attempts' table.mu    the attempts by their ids
//	attempts' run.mu      what became of one attempt so far
//	slots.Set             which slots there are, and what holds for all of them; then slots.Caps
//	current.mu            the shell of the present term
//
// All other locks are leaves: their holders take no other. The slots of a Set are read without its
// lock: adding one makes a new list.
//
// # What a task may
//
// A task writes to its working folder, LULL_OUT, LULL_CHECKPOINT and /dev/null, and to what
// Config.TaskWrite adds. It reads what its user may; its user is nobody if the agent is root. It
// signals and traces only what it started, and gains no rights. Where the kernel cannot enforce
// that, `lull doctor` reports it. The agent becomes the owner of committed files, so no later task
// can change them.
package hostctl
