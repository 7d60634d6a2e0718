package waits

import "github.com/cilium/ebpf/asm"

// Offsets of what the programs keep on their stack.
const (
	stackCPUKey = -4  // number of a CPU, the key of a record
	stackPIDKey = -8  // id of a thread, the key of an entry
	stackWait   = -16 // length of a wait, in ns; in woken, what noteQueuedBehind notes
	stackMeter  = -24 // reading of the meter; in woken, the address of an entry
	stackEntry  = -24 - entrySize
	frameBase   = asm.R10
)

// maps are the file descriptors of the maps that programs use.
type maps struct{ records, entries, machine, bell int }

// record puts the record of a CPU into R0. The CPU's number is on the stack.
func (m maps) record() asm.Instructions { return lookup(m.records, stackCPUKey) }

// entry puts the entry of a thread into R0. The thread's number is on the stack.
func (m maps) entry() asm.Instructions { return lookup(m.entries, stackPIDKey) }

// lookup puts into R0 the address of a map's value for the key on the stack, 0 if there is none.
func lookup(fd int, key int32) asm.Instructions {
	return asm.Instructions{
		asm.LoadMapPtr(asm.R1, fd),
		asm.Mov.Reg(asm.R2, frameBase),
		asm.Add.Imm(asm.R2, key),
		asm.FnMapLookupElem.Call(),
	}
}

// insert puts the entry on the stack into the map. If the map is full, the insertion
// fails, and the thread is not measured.
func (m maps) insert() asm.Instructions {
	return asm.Instructions{
		asm.LoadMapPtr(asm.R1, m.entries),
		asm.Mov.Reg(asm.R2, frameBase),
		asm.Add.Imm(asm.R2, stackPIDKey),
		asm.Mov.Reg(asm.R3, frameBase),
		asm.Add.Imm(asm.R3, stackEntry),
		asm.Mov.Imm(asm.R4, 0),
		asm.FnMapUpdateElem.Call(),
	}
}

// remove removes the entry of a thread. Its number is on the stack.
func (m maps) remove() asm.Instructions {
	return asm.Instructions{
		asm.LoadMapPtr(asm.R1, m.entries),
		asm.Mov.Reg(asm.R2, frameBase),
		asm.Add.Imm(asm.R2, stackPIDKey),
		asm.FnMapDeleteElem.Call(),
	}
}

// increase adds a register to a field of the record in R7. It overwrites R5.
func increase(field int16, by asm.Register) asm.Instructions {
	return asm.Instructions{
		asm.LoadMem(asm.R5, asm.R7, field, asm.DWord),
		asm.Add.Reg(asm.R5, by),
		asm.StoreMem(asm.R7, field, asm.R5, asm.DWord),
	}
}

// set gives eight bytes a constant value. Package asm has no function for it.
func set(base asm.Register, at int16, value int64) asm.Instruction {
	return asm.Instruction{OpCode: asm.StoreImmOp(asm.DWord), Dst: base, Offset: at, Constant: value}
}

// logarithm puts the bucket of the length in R1 into R2: the binary logarithm, rounded down. It
// overwrites R1 and R3.
func logarithm() asm.Instructions {
	steps := asm.Instructions{asm.Mov.Imm(asm.R2, 0)}
	for _, bits := range []struct {
		n     int32
		label string
	}{{32, "below32"}, {16, "below16"}, {8, "below8"}, {4, "below4"}, {2, "below2"}, {1, "below1"}} {
		steps = append(steps,
			asm.Mov.Reg(asm.R3, asm.R1),
			asm.RSh.Imm(asm.R3, bits.n),
			asm.JEq.Imm(asm.R3, 0, bits.label),
			asm.Mov.Reg(asm.R1, asm.R3),
			asm.Add.Imm(asm.R2, bits.n),
			mark(bits.label))
	}
	return append(steps,
		asm.JLE.Imm(asm.R2, buckets-1, "bucket"),
		asm.Mov.Imm(asm.R2, buckets-1),
		mark("bucket"))
}

// program joins parts into a program, and adds the exit to which jumps to "end" lead.
func program(parts ...asm.Instructions) asm.Instructions {
	var all asm.Instructions
	for _, part := range parts {
		all = append(all, part...)
	}
	return append(all, mark("end"), asm.Return())
}
