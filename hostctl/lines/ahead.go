package lines

import (
	"golang.org/x/sys/unix"

	"lull/subjects/spec"
)

// aheadBytes bounds what is read of a task's small files before they are needed. It counts against
// the limit of the task's memory, or the shim's.
const aheadBytes = 4 << 20

// ahead has the kernel begin to read small files that were opened, all at once. What tasks wrote is
// often not in memory any more, because the kernel takes it back before their slot's next task
// begins. Copy would wait for the disk once for each of a task's hundreds of inputs.
type ahead struct{ left int64 }

func (a *ahead) begin(f File, r spec.Range) {
	const page = 4 << 10
	room := (r.Length + page - 1) / page * page
	fd, ok := f.(interface{ Fd() uintptr })
	if !ok || r.Length <= 0 || r.Length > bufferBytes || room > a.left {
		return // the kernel reads ahead in large files by itself
	}
	a.left -= room
	_ = unix.Fadvise(int(fd.Fd()), r.Offset, r.Length, unix.FADV_WILLNEED) // Copy reads it anyway
}
