// Package vacancy keeps two agents from using one host's name. The agent that has it stays; the
// one that comes second ends before it joins.
//
//	bus := vacancy.New(bus, vacancy.Config{…})     // the host's shell appends through it
//	bus.Expect(instance, last)                     // when the shell makes a Joined
//	case err := <-bus.Taken():                     // the Joined was not appended: end
//
// A Joined is appended at once if the host's last term is over (Left or Lost), if this process
// wrote it, or if an agent on this data folder wrote it since the machine booted: the folder is
// locked, so that agent has ended. Else Append listens to the beats of the name:
//
//	beats go on ──────▶ Taken: another agent is alive under the name
//	3 s without one ──▶ append: it crashed, is frozen, or its machine booted anew
//
// The fence in the log still decides between two agents that both heard nothing. The one that is
// refused there listens again before its next attempt, and then hears the other.
package vacancy
