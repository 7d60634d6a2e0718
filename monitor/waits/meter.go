package waits

import "github.com/cilium/ebpf/asm"

// The meter runs while batch work has a CPU, whichever that is: a thread of the primary that waits
// meanwhile could run there, wherever it is queued. Most wait behind threads of their own while
// another CPU runs batch work. Of those that waited beside batch work on two CPUs, a tenth waited
// for the CPU that ran it.
//
// The count of CPUs is exact, since each CPU counts its own changes and at once.
// The meter loses a stint if one CPU begins the next while another one ends it.

// batchBegan counts this CPU in, at the time in R8. R1 and R2 are lost.
func (m maps) batchBegan() asm.Instructions {
	return asm.Instructions{
		asm.LoadMapValue(asm.R1, m.machine, 0),
		asm.Mov.Imm(asm.R2, 1),
		fetchAdd(asm.R1, asm.R2, atCount),
		asm.JNE.Imm(asm.R2, 0, "others run it"),
		asm.StoreMem(asm.R1, atFirst, asm.R8, asm.DWord),
		mark("others run it"),
	}
}

// batchEnded takes the CPU with the record in R7 out of the count of CPUs that run batch work, if it ran some.
// R0 to R3 are lost. Each use has a label of its own.
func (m maps) batchEnded(label string) asm.Instructions {
	return asm.Instructions{
		asm.LoadMem(asm.R1, asm.R7, atKind, asm.DWord),
		asm.JNE.Imm(asm.R1, batch, label),
		asm.LoadMapValue(asm.R1, m.machine, 0),
		asm.Mov.Imm(asm.R2, -1),
		asm.LoadMem(asm.R3, asm.R1, atFirst, asm.DWord), // before another CPU may begin anew
		fetchAdd(asm.R1, asm.R2, atCount),
		asm.JNE.Imm(asm.R2, 1, label),
		asm.JLE.Reg(asm.R8, asm.R3, label),
		asm.Mov.Reg(asm.R2, asm.R8),
		asm.Sub.Reg(asm.R2, asm.R3),
		asm.AddAtomic.Mem(asm.R1, asm.R2, asm.DWord, atMetered),
		mark(label),
	}
}

// fetchAdd adds a register to a field, and leaves the field's former value in the register. Package asm
// does not set the flag that asks for that value (version 0.22), so fetchAdd sets it.
func fetchAdd(base, by asm.Register, at int16) asm.Instruction {
	add := asm.FetchAdd.Mem(base, by, asm.DWord, at)
	add.Constant |= 1 // BPF_FETCH
	return add
}

// readMeter puts into R3 how long batch work has run until now, the time in R8. R0 to R2 are lost. Each use has a label of its own.
func (m maps) readMeter(label string) asm.Instructions {
	return asm.Instructions{
		asm.LoadMapValue(asm.R1, m.machine, 0),
		asm.LoadMem(asm.R3, asm.R1, atMetered, asm.DWord),
		asm.LoadMem(asm.R2, asm.R1, atCount, asm.DWord),
		asm.JEq.Imm(asm.R2, 0, label),
		asm.LoadMem(asm.R2, asm.R1, atFirst, asm.DWord),
		asm.JLE.Reg(asm.R8, asm.R2, label),
		asm.Add.Reg(asm.R3, asm.R8),
		asm.Sub.Reg(asm.R3, asm.R2),
		mark(label),
	}
}
