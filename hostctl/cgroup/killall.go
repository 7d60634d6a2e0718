package cgroup

import "golang.org/x/sys/unix"

// maxLists bounds how often KillAll looks: a task that still forks then has CPU to do it with.
const maxLists = 10

// KillAll kills the processes of a list, and lists again until no new one is there. It returns all
// that it has killed, and false if they fork faster than it lists them.
//
// Only in that case need they be frozen first. Freezing a v2 group takes a kernel-wide lock. A
// thread that moves a process to another cgroup keeps that lock, and waits meanwhile for each
// thread that is about to fork. In the idle class, beside a primary that wants every core, it waits
// for the very processes that are to be killed here. An agent that waited for the lock before it
// gave them CPU (Dying) waited for 45 seconds, in which no process of the host could fork (Linux
// 6.18).
func KillAll(list func() []int) (killed []int, all bool) {
	seen := map[int]bool{}
	for range maxLists {
		fresh := false
		for _, pid := range list() {
			if !seen[pid] {
				seen[pid], fresh = true, true
				killed = append(killed, pid)
				_ = unix.Kill(pid, unix.SIGKILL) // gone already: all the better
			}
		}
		if !fresh {
			return killed, true
		}
	}
	return killed, false
}
