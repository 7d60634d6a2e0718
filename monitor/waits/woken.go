package waits

import "github.com/cilium/ebpf/asm"

// woken returns the program for wake-ups, both of threads that slept and of new ones.
// It notes when a thread of the primary began to wait for a CPU, for how long batch
// work had run until then (the meter), and on which CPU the thread waits:
//
//	entry = now, the meter, the CPU
//
// R6 holds the thread, R7 the record of the CPU, R8 the time, R9 the meter.
func (m maps) woken(threads members) asm.Instructions {
	return program(
		asm.Instructions{
			asm.LoadMem(asm.R6, asm.R1, 0, asm.DWord),
			// A thread that was about to sleep and still runs does not wait.
			asm.LoadMem(asm.R1, asm.R6, threads.onCPU, asm.Word),
			asm.JNE.Imm(asm.R1, 0, "end"),
		},
		threads.jumpIfBatch(asm.R6, "end"),
		threads.jumpIfOther(asm.R6, "end"),
		storeKeys(asm.R6, threads.layout),
		m.record(),
		asm.Instructions{
			asm.JEq.Imm(asm.R0, 0, "end"),
			asm.Mov.Reg(asm.R7, asm.R0),
			asm.FnKtimeGetNs.Call(),
			asm.Mov.Reg(asm.R8, asm.R0),
		},
		m.entry(),
		exitIfWaiting(),
		noteQueuedBehind(),
		enqueue(),
		m.readMeter("metered"),
		asm.Instructions{
			asm.Mov.Reg(asm.R9, asm.R3),
			asm.LoadMem(asm.R0, frameBase, stackMeter, asm.DWord),
			asm.JEq.Imm(asm.R0, 0, "first"),
		},
		wakeSleeper(),
		fillEntry(asm.R0, 0),
		asm.Instructions{asm.Ja.Label("entered"), mark("first")},
		fillEntry(frameBase, stackEntry),
		m.insert(),
		asm.Instructions{mark("entered")},
		m.ringIfQueuedBehind(),
	)
}

// exitIfWaiting ends the program for a thread that waits already: it was preempted while it was about to
// sleep, and then woken. It may have a place in another CPU's queue by now, and must not get a second one.
// For other threads the entry's address moves from R0, which later calls overwrite, to the stack.
func exitIfWaiting() asm.Instructions {
	return asm.Instructions{
		asm.StoreMem(frameBase, stackMeter, asm.R0, asm.DWord),
		asm.JEq.Imm(asm.R0, 0, "new"),
		asm.LoadMem(asm.R1, asm.R0, atCPU, asm.DWord),
		asm.JSGE.Imm(asm.R1, 0, "end"),
		mark("new"),
	}
}

// storeKeys puts on the stack the thread's id and the number of the CPU on which it is to run.
func storeKeys(task asm.Register, l layout) asm.Instructions {
	return asm.Instructions{
		asm.LoadMem(asm.R1, task, l.pid, asm.Word),
		asm.StoreMem(frameBase, stackPIDKey, asm.R1, asm.Word),
		asm.LoadMem(asm.R1, task, l.cpu, asm.Word),
		asm.StoreMem(frameBase, stackCPUKey, asm.R1, asm.Word),
	}
}

// wakeSleeper adds to atBlocked how long the thread of the entry in R0 was in uninterruptible sleep, if it was.
func wakeSleeper() asm.Instructions {
	return append(append(asm.Instructions{
		asm.LoadMem(asm.R1, asm.R0, atCPU, asm.DWord),
		asm.JNE.Imm(asm.R1, asleep, "awake"),
		asm.LoadMem(asm.R1, asm.R0, atWaitStart, asm.DWord),
		asm.JLE.Reg(asm.R8, asm.R1, "awake"),
		asm.Mov.Reg(asm.R2, asm.R8),
		asm.Sub.Reg(asm.R2, asm.R1),
	}, increase(atBlocked, asm.R2)...),
		asm.LoadMem(asm.R1, frameBase, stackCPUKey, asm.Word).WithSymbol("awake"))
}

// fillEntry fills an entry: its thread waits from R8, the time, on, when the meter
// read R9, for the CPU with the number on the stack.
func fillEntry(entry asm.Register, at int16) asm.Instructions {
	return asm.Instructions{
		asm.StoreMem(entry, at+atWaitStart, asm.R8, asm.DWord),
		asm.StoreMem(entry, at+atMeter, asm.R9, asm.DWord),
		asm.LoadMem(asm.R1, frameBase, stackCPUKey, asm.Word),
		asm.StoreMem(entry, at+atCPU, asm.R1, asm.DWord),
	}
}
