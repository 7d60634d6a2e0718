package waits

import (
	"fmt"

	"github.com/cilium/ebpf/asm"
	"golang.org/x/sys/unix"
)

// depth is how many levels the search for a known group climbs from a thread's own. A task runs in a
// group per slot, below one per agent, below the one of all agents; a service below a slice or two.
const depth = 6

// cgroupIDs returns the numbers by which the kernel knows cgroups: their folders' inodes.
func cgroupIDs(folders []string) ([]int64, error) {
	ids := make([]int64, len(folders))
	for i, folder := range folders {
		var stat unix.Stat_t
		if err := unix.Stat(folder, &stat); err != nil {
			return nil, fmt.Errorf("cgroup %s: %w", folder, err)
		}
		ids[i] = int64(stat.Ino)
	}
	return ids, nil
}

// members distinguishes threads of the primary, of batch work and others. It is part of each
// program: task holds the thread, R0 to R3 are lost.
type members struct {
	layout
	batch, primary []int64 // ids of groups; none: see Config
	own            int32   // see Config
}

// jumpIfBatch goes to a label if the thread is batch work.
func (m *members) jumpIfBatch(task asm.Register, label string) asm.Instructions {
	if len(m.batch) > 0 {
		return m.jumpIfWithin(task, m.batch, label)
	}
	return asm.Instructions{
		asm.LoadMem(asm.R1, task, m.policy, asm.Word),
		asm.JEq.Imm(asm.R1, unix.SCHED_IDLE, label),
	}
}

// kernelThread is the flag of threads that have no program of their own.
const kernelThread = 0x00200000 // PF_KTHREAD

// jumpIfOther goes to a label if the thread, which is no batch work, is not the primary's either: a thread
// of the kernel, which may work for batch work, one of Config.Own, one in the idle class, or one outside
// Config.Primary. What others run in the idle class asked for no more than what is left.
func (m *members) jumpIfOther(task asm.Register, label string) asm.Instructions {
	other := asm.Instructions{
		asm.LoadMem(asm.R1, task, m.flags, asm.Word),
		asm.JSet.Imm(asm.R1, kernelThread, label),
		asm.LoadMem(asm.R1, task, m.policy, asm.Word),
		asm.JEq.Imm(asm.R1, unix.SCHED_IDLE, label),
	}
	other = append(other, m.jumpIfIdle(task, label)...)
	if m.own != 0 {
		other = append(other,
			asm.LoadMem(asm.R1, task, m.process, asm.Word),
			asm.JEq.Imm(asm.R1, m.own, label))
	}
	if len(m.primary) == 0 {
		return other
	}
	return append(append(other, m.jumpIfWithin(task, m.primary, "primary")...), asm.Ja.Label(label), mark("primary"))
}

// jumpIfIdle goes to a label if the thread's group, or one above it, has cpu.idle.
func (m *members) jumpIfIdle(task asm.Register, label string) asm.Instructions {
	walk := asm.Instructions{asm.LoadMem(asm.R1, task, m.group, asm.DWord)}
	for range depth {
		walk = append(walk,
			asm.LoadMem(asm.R2, asm.R1, m.idle, asm.Word),
			asm.JNE.Imm(asm.R2, 0, label),
			asm.LoadMem(asm.R1, asm.R1, m.parent, asm.DWord))
	}
	return walk
}

// jumpIfWithin goes to a label if the thread's group, or one above it, has one of the
// ids. A pointer that is null reads as zeros, so the walk needs no end.
func (m *members) jumpIfWithin(task asm.Register, ids []int64, label string) asm.Instructions {
	walk := asm.Instructions{asm.LoadMem(asm.R1, task, m.group, asm.DWord)}
	for range depth {
		walk = append(walk,
			asm.LoadMem(asm.R2, asm.R1, m.cgroup, asm.DWord),
			asm.LoadMem(asm.R2, asm.R2, m.node, asm.DWord),
			asm.LoadMem(asm.R2, asm.R2, m.id, asm.DWord))
		for _, id := range ids {
			walk = append(walk, asm.LoadImm(asm.R3, id, asm.DWord), asm.JEq.Reg(asm.R2, asm.R3, label))
		}
		walk = append(walk, asm.LoadMem(asm.R1, asm.R1, m.parent, asm.DWord))
	}
	return walk
}

// mark is a place that jumps lead to. R0 is lost.
func mark(label string) asm.Instruction { return asm.Mov.Imm(asm.R0, 0).WithSymbol(label) }
