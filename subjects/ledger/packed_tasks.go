package ledger

import (
	"encoding/binary"
	"fmt"
)

// taskBytes is the size of a packed task.
const taskBytes = 8 + 16 + 4 + 2 + 1 + 1

func packTasks(tasks []task) []byte {
	b := make([]byte, 0, len(tasks)*taskBytes)
	for i := range tasks {
		t := &tasks[i]
		b = binary.LittleEndian.AppendUint64(b, t.attempt)
		b = append(b, t.manifest[:]...)
		b = binary.LittleEndian.AppendUint32(b, t.host)
		b = binary.LittleEndian.AppendUint16(b, uint16(t.counts))
		b = append(b, t.fails, byte(t.state))
	}
	return b
}

func unpackTasks(b []byte, hosts uint32) ([]task, error) {
	if len(b)%taskBytes != 0 {
		return nil, fmt.Errorf("%d bytes are no whole number of tasks", len(b))
	}
	tasks := make([]task, len(b)/taskBytes)
	for i := range tasks {
		t, b := &tasks[i], b[i*taskBytes:]
		t.attempt = binary.LittleEndian.Uint64(b)
		copy(t.manifest[:], b[8:])
		t.host = binary.LittleEndian.Uint32(b[24:])
		t.counts = attemptCounts(binary.LittleEndian.Uint16(b[28:]))
		t.fails, t.state = b[30], TaskState(b[31])
		if t.state > Dropped || t.attempt != 0 && t.host >= hosts {
			return nil, fmt.Errorf("task %d is in no known state, or on no known host", i)
		}
	}
	return tasks, nil
}
