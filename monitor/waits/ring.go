package waits

import (
	"fmt"
	"time"

	"github.com/cilium/ebpf/asm"
)

// Programs ring the bell at the two moments at which the kernel leaves threads of the primary
// waiting behind each other while batch work has a CPU. One is when a CPU turns to batch work;
// without work it would have looked for waiting threads. The other is when one more thread queues
// behind others. The bell does not ring while no thread listens.

// maxCPUs is the most CPUs that a program looks at.
const maxCPUs = 64

// patience is how long a thread has waited at least when the bell rings for it.
const patience = 100 * time.Microsecond

// beginBatch begins a stint of batch work on the CPU with the record in R7, and rings if a thread of
// the primary waits somewhere. It does not ring if the CPU ran the listener before, which has just
// looked.
func (m maps) beginBatch(threads members) asm.Instructions {
	return join([]asm.Instructions{
		{
			asm.LoadMem(asm.R1, asm.R7, atKind, asm.DWord),
			asm.JEq.Imm(asm.R1, batch, "end"),
			set(asm.R7, atKind, batch),
		},
		m.batchBegan(),
		{
			asm.LoadMem(asm.R1, asm.R7, atListener, asm.DWord),
			asm.JEq.Imm(asm.R1, 0, "end"),
			asm.LoadMem(asm.R2, asm.R6, argPrevious, asm.DWord),
			asm.LoadMem(asm.R2, asm.R2, threads.pid, asm.Word),
			asm.JEq.Reg(asm.R1, asm.R2, "end"),
		},
		m.ringIfAnyCPU(append(asm.Instructions{asm.Mov.Reg(asm.R4, asm.R0)}, jumpIfKeptWaiting(asm.R4, "ring")...)),
	})
}

// noteQueuedBehind notes on the stack whether the thread that is about to queue in the record in R7 comes
// behind another one, while a third of the primary's has the CPU and a thread listens. R1 and R2
// are lost.
func noteQueuedBehind() asm.Instructions {
	return join([]asm.Instructions{
		{
			set(frameBase, stackWait, 0),
			asm.LoadMem(asm.R1, asm.R7, atListener, asm.DWord),
			asm.JEq.Imm(asm.R1, 0, "alone"),
			asm.LoadMem(asm.R1, asm.R7, atKind, asm.DWord),
			asm.JNE.Imm(asm.R1, primary, "alone"),
		},
		jumpIfKeptWaiting(asm.R7, "kept"),
		{
			asm.Ja.Label("alone"),
			mark("kept"),
			set(frameBase, stackWait, 1),
			mark("alone"),
		},
	})
}

// ringIfQueuedBehind rings if a thread queued behind another one, and some CPU runs batch
// work.
func (m maps) ringIfQueuedBehind() asm.Instructions {
	return append(asm.Instructions{
		asm.LoadMem(asm.R1, frameBase, stackWait, asm.DWord),
		asm.JEq.Imm(asm.R1, 0, "end"),
	}, m.ringIfAnyCPU(asm.Instructions{
		asm.LoadMem(asm.R1, asm.R0, atKind, asm.DWord),
		asm.JEq.Imm(asm.R1, batch, "ring"),
	})...)
}

// jumpIfKeptWaiting goes to a label if some thread in a record has been kept waiting, now being
// in R8. R1 and R2 are lost.
func jumpIfKeptWaiting(record asm.Register, label string) (steps asm.Instructions) {
	for i := range int16(places) {
		next := fmt.Sprintf("%s, not by %d", label, i)
		steps = append(steps,
			asm.LoadMem(asm.R1, record, atPlaces+8*i, asm.DWord),
			asm.JEq.Imm(asm.R1, 0, next),
			asm.RSh.Imm(asm.R1, threadBits),
			asm.Mov.Reg(asm.R2, asm.R8),
			asm.RSh.Imm(asm.R2, unitBits),
			asm.LSh.Imm(asm.R2, threadBits), // modulo what a place can hold
			asm.RSh.Imm(asm.R2, threadBits),
			asm.Sub.Reg(asm.R2, asm.R1),
			asm.JLT.Imm(asm.R2, int32(patience>>unitBits), next),
			asm.JLT.Imm(asm.R2, int32(staleWait>>unitBits), label),
			mark(next))
	}
	return steps
}

// ringIfAnyCPU rings if a test of the record in R0, of one CPU after the other, goes
// to "ring". R9 is lost.
func (m maps) ringIfAnyCPU(test asm.Instructions) asm.Instructions {
	return join([]asm.Instructions{
		{
			asm.Mov.Imm(asm.R9, 0),
			asm.StoreMem(frameBase, stackCPUKey, asm.R9, asm.Word).WithSymbol("another CPU"),
		},
		m.record(),
		{asm.JEq.Imm(asm.R0, 0, "end")}, // there are no more
		test,
		{
			asm.Add.Imm(asm.R9, 1),
			asm.JLT.Imm(asm.R9, maxCPUs, "another CPU"),
			asm.Ja.Label("end"),
			mark("ring"),
			set(frameBase, stackWait, 0),
			asm.LoadMapPtr(asm.R1, m.bell),
			asm.Mov.Reg(asm.R2, frameBase),
			asm.Add.Imm(asm.R2, stackWait),
			asm.Mov.Imm(asm.R3, 8),
			asm.Mov.Imm(asm.R4, 0),
			asm.FnRingbufOutput.Call(),
		},
	})
}
