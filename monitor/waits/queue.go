package waits

import (
	"fmt"

	"github.com/cilium/ebpf/asm"
)

// places is how many waiting threads a record holds. With the kind of stint and its beginning they
// fill two cache lines a CPU. A thread that finds no free place is not shown, but its wait is
// measured all the same.
const places = 8

// A place has a thread's number in its lower bits (the kernel's largest is 2^22 - 1) and above them
// when it began to wait, in units of 1024 ns. So one load or store suffices for both. 0 is an empty
// place.
const (
	threadBits = 22
	threadMask = 1<<threadBits - 1
	unitBits   = 10
)

// enqueue puts the thread with the number on the stack into the first free place
// of the record in R7, with the time in R8. R0 to R2 are lost.
func enqueue() asm.Instructions {
	steps := asm.Instructions{
		asm.Mov.Reg(asm.R1, asm.R8),
		asm.RSh.Imm(asm.R1, unitBits),
		asm.LSh.Imm(asm.R1, threadBits),
		asm.LoadMem(asm.R2, frameBase, stackPIDKey, asm.Word),
		asm.Or.Reg(asm.R1, asm.R2),
	}
	for i := range int16(places) {
		taken := fmt.Sprintf("taken %d", i)
		steps = append(steps,
			asm.LoadMem(asm.R2, asm.R7, atPlaces+8*i, asm.DWord),
			asm.JNE.Imm(asm.R2, 0, taken),
			asm.StoreMem(asm.R7, atPlaces+8*i, asm.R1, asm.DWord),
			asm.Ja.Label("queued"),
			mark(taken))
	}
	return append(steps, mark("queued"))
}

// dequeue empties the places of the thread with the number on the stack: two, if
// it was woken while it waited. R0 to R2 are lost.
func dequeue(record asm.Register) asm.Instructions {
	steps := asm.Instructions{asm.LoadMem(asm.R1, frameBase, stackPIDKey, asm.Word)}
	for i := range int16(places) {
		another := fmt.Sprintf("another %d", i)
		steps = append(steps,
			asm.LoadMem(asm.R2, record, atPlaces+8*i, asm.DWord),
			asm.And.Imm(asm.R2, threadMask),
			asm.JNE.Reg(asm.R2, asm.R1, another),
			set(record, atPlaces+8*i, 0),
			mark(another))
	}
	return steps
}
