package shim

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// Without an idle cgroup, a kernel with autogroups shares CPU between sessions first. SCHED_IDLE
// and nice then count only among the processes of one session. A session of their own gave batch
// tasks as much CPU as the primary (its p99 grew ×840 and more). So the session of a shim and its
// tasks is made nice as a whole, and tasks open no other: a new one would start at nice 0.

// setsids is setsid's number on each architecture that a task may speak here.
var setsids = []struct{ arch, number uint32 }{
	{unix.AUDIT_ARCH_X86_64, 112}, {unix.AUDIT_ARCH_I386, 66}, {unix.AUDIT_ARCH_AARCH64, 157}, {unix.AUDIT_ARCH_ARM, 66},
}

// keepSession makes setsid do nothing in the calling thread and all that it
// starts. It reports success: programs detach from a terminal that a task does
// not have, and would rather end than go on without. Where the agent may not filter, the
// session stays open; see the report of package cgroup on what that costs.
func keepSession() error {
	filter := sessionFilter()
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	// Before Linux 5.16, a seccomp filter slows programs down by mitigations meant for programs
	// with secrets, unless this flag is set.
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_SPEC_ALLOW,
		uintptr(unsafe.Pointer(&program)))
	switch errno {
	case 0, unix.ENOSYS, unix.EINVAL, unix.EACCES:
		return nil
	}
	return errno
}

// sessionFilter is a seccomp program: for each architecture six instructions,
// which the first one skips when it is another.
func sessionFilter() []unix.SockFilter {
	const (
		load, masked = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, unix.BPF_ALU | unix.BPF_AND | unix.BPF_K
		equal, leave = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, unix.BPF_RET | unix.BPF_K
		nr, arch     = 0, 4             // in struct seccomp_data
		plain        = ^uint32(1 << 30) // x32 marks its calls so
	)
	filter := []unix.SockFilter{{Code: load, K: arch}}
	for _, s := range setsids {
		filter = append(filter,
			unix.SockFilter{Code: equal, K: s.arch, Jf: 5},
			unix.SockFilter{Code: load, K: nr},
			unix.SockFilter{Code: masked, K: plain},
			unix.SockFilter{Code: equal, K: s.number, Jf: 1},
			unix.SockFilter{Code: leave, K: unix.SECCOMP_RET_ERRNO}, // error 0
			unix.SockFilter{Code: leave, K: unix.SECCOMP_RET_ALLOW})
	}
	return append(filter, unix.SockFilter{Code: leave, K: unix.SECCOMP_RET_ALLOW})
}
