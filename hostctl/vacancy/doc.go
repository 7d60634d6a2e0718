// Package vacancy keeps two agents from using one host's name. The agent that has it stays; the one
// that comes second ends before it joins.
//
//	bus := vacancy.New(bus, vacancy.Config{…})     // the host's shell appends through it
//	bus.Expect(instance, last)                     // when the shell makes a Joined
//	case err := <-bus.Taken():                     // the Joined was not appended: end
//
// A Joined is appended at once in three cases: the host's last term is over (Left or Lost); this
// process wrote it; or an agent on this data folder wrote it since the machine booted, and has
// ended because the folder's lock is free. Otherwise Append listens for heartbeats under the name:
//
//	beats go on ──────▶ Taken: another agent is alive under the name
//	3 s without one ──▶ append: it crashed, is frozen, or its machine booted anew
//
// The fence in the log still decides between two agents that both received no heartbeat. The
// refused agent listens again before its next attempt, and then receives the other's.
package vacancy
