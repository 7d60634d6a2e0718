package waits

import "github.com/cilium/ebpf/asm"

// Offsets of the arguments of the tracepoint sched_switch: whether the previous thread was
// preempted, the previous thread, the next one, and the state of the previous one.
const (
	argPreempted = 8 * iota
	argPrevious
	argNext
	argState
)

// States of a thread.
const (
	uninterruptible = 0x02 // TASK_UNINTERRUPTIBLE
	dead            = 0x80 // TASK_DEAD
)

// switched returns the program for a CPU's change from one thread to another. It ends the stint of the
// first, which is its time on the CPU, and the wait of the second. R6 holds the arguments, R7 the CPU's
// record, R8 the time.
func (m maps) switched(threads members) asm.Instructions {
	return program(
		asm.Instructions{
			asm.Mov.Reg(asm.R6, asm.R1),
			asm.FnGetSmpProcessorId.Call(),
			asm.StoreMem(frameBase, stackCPUKey, asm.R0, asm.Word),
		},
		m.record(),
		asm.Instructions{
			asm.JEq.Imm(asm.R0, 0, "end"),
			asm.Mov.Reg(asm.R7, asm.R0),
			asm.FnKtimeGetNs.Call(),
			asm.Mov.Reg(asm.R8, asm.R0),
		},
		m.switchOut(threads),
		m.switchIn(threads),
	)
}

// switchOut ends the stint of the previous thread. If the thread is the primary's, switchOut adds the stint to
// atRan and updates the thread's entry. A thread that is still runnable waits from now on. One in
// uninterruptible sleep is asleep from now on. The entry of one that has ended is removed.
func (m maps) switchOut(threads members) asm.Instructions {
	parts := []asm.Instructions{
		{
			asm.Mov.Reg(asm.R2, asm.R8),
			asm.LoadMem(asm.R1, asm.R7, atSince, asm.DWord),
			asm.Sub.Reg(asm.R2, asm.R1),
			asm.LoadMem(asm.R3, asm.R7, atKind, asm.DWord),
			asm.StoreMem(asm.R7, atSince, asm.R8, asm.DWord),
			asm.JNE.Imm(asm.R3, primary, "departed"),
		},
		increase(atRan, asm.R2),
		{
			asm.LoadMem(asm.R1, asm.R6, argPrevious, asm.DWord),
			asm.LoadMem(asm.R1, asm.R1, threads.pid, asm.Word),
			asm.StoreMem(frameBase, stackPIDKey, asm.R1, asm.Word),
		},
		m.readMeter("metered"),
		{asm.Mov.Reg(asm.R9, asm.R3)},
		fillEntry(frameBase, stackEntry),
		{
			asm.LoadMem(asm.R1, asm.R6, argPreempted, asm.DWord),
			asm.JNE.Imm(asm.R1, 0, "queue"),
			asm.LoadMem(asm.R1, asm.R6, argState, asm.DWord),
			asm.JEq.Imm(asm.R1, 0, "queue"),
			set(frameBase, stackEntry+atCPU, asleep),
			asm.JSet.Imm(asm.R1, uninterruptible, "keep"),
			asm.JSet.Imm(asm.R1, dead, "forget"),
			asm.Ja.Label("departed"),
			mark("forget"),
		},
		m.remove(),
		{asm.Ja.Label("departed"), mark("queue")},
		enqueue(),
		{mark("keep")},
		m.insert(),
		{mark("departed")},
	}
	return join(parts)
}

// switchIn begins the stint of the next thread, and ends its wait if it is the primary's. The length of the
// wait is added to atRunnable, and the time in it for which batch work ran to atDelayed.
func (m maps) switchIn(threads members) asm.Instructions {
	return join([]asm.Instructions{
		{
			asm.LoadMem(asm.R9, asm.R6, argNext, asm.DWord),
			asm.LoadMem(asm.R1, asm.R9, threads.pid, asm.Word),
			asm.StoreMem(frameBase, stackPIDKey, asm.R1, asm.Word),
			asm.JEq.Imm(asm.R1, 0, "other"),
			asm.LoadMem(asm.R2, asm.R7, atListener, asm.DWord),
			asm.JEq.Reg(asm.R1, asm.R2, "other"), // the listener works for the primary, but is not part of it
		},
		threads.jumpIfBatch(asm.R9, "batch"),
		threads.jumpIfOther(asm.R9, "other"),
		m.batchEnded("the primary's"),
		{set(asm.R7, atKind, primary)},
		m.entry(),
		{
			asm.JEq.Imm(asm.R0, 0, "end"),
			asm.Mov.Reg(asm.R9, asm.R0),
		},
		endWait(),
		m.record(),
		m.addDelay(),
		{
			asm.Ja.Label("end"),
			mark("other"),
		},
		m.batchEnded("other's"),
		{
			set(asm.R7, atKind, other),
			asm.Ja.Label("end"),
			mark("batch"),
		},
		m.beginBatch(threads),
	})
}

// endWait ends the wait of the entry in R9, and marks the entry as notWaiting. It adds the wait's length to
// the record. It puts on the stack that length, the CPU that the thread waited for, and the meter's reading
// at the beginning of the wait. A wait that seems to have begun later than now has length 0.
func endWait() asm.Instructions {
	return append(append(asm.Instructions{
		asm.LoadMem(asm.R1, asm.R9, atCPU, asm.DWord),
		asm.JSLT.Imm(asm.R1, 0, "end"),
		asm.StoreMem(frameBase, stackCPUKey, asm.R1, asm.Word),
		set(asm.R9, atCPU, notWaiting),
		asm.LoadMem(asm.R1, asm.R9, atWaitStart, asm.DWord),
		asm.Mov.Imm(asm.R2, 0),
		asm.JLE.Reg(asm.R8, asm.R1, "at once"),
		asm.Mov.Reg(asm.R2, asm.R8),
		asm.Sub.Reg(asm.R2, asm.R1),
		mark("at once"),
		asm.StoreMem(frameBase, stackWait, asm.R2, asm.DWord),
	}, increase(atRunnable, asm.R2)...),
		asm.LoadMem(asm.R1, asm.R9, atMeter, asm.DWord),
		asm.StoreMem(frameBase, stackMeter, asm.R1, asm.DWord))
}

// addDelay removes the thread from the queue of the record in R0. It adds to atDelayed by how much the
// meter, the time for which batch work ran, has advanced since the wait began, but never more than the
// length of the wait. It counts that delay in the histogram, too.
func (m maps) addDelay() asm.Instructions {
	return join([]asm.Instructions{
		{
			asm.JEq.Imm(asm.R0, 0, "end"),
			asm.Mov.Reg(asm.R9, asm.R0),
		},
		dequeue(asm.R9),
		m.readMeter("read"),
		{
			asm.LoadMem(asm.R1, frameBase, stackMeter, asm.DWord),
			asm.JLE.Reg(asm.R3, asm.R1, "end"),
			asm.Sub.Reg(asm.R3, asm.R1),
			asm.LoadMem(asm.R1, frameBase, stackWait, asm.DWord),
			asm.JLE.Reg(asm.R1, asm.R3, "bounded"),
			asm.Mov.Reg(asm.R1, asm.R3),
			mark("bounded"),
		},
		increase(atDelayed, asm.R1),
		logarithm(),
		{
			asm.LSh.Imm(asm.R2, 3),
			asm.Add.Reg(asm.R7, asm.R2),
			asm.Mov.Imm(asm.R1, 1),
		},
		increase(atDelays, asm.R1),
	})
}

func join(parts []asm.Instructions) (all asm.Instructions) {
	for _, part := range parts {
		all = append(all, part...)
	}
	return all
}
