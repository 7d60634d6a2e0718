package ledger

import "slices"

// requeueInOrder moves a returned task before the later tasks of its stage in the queue: they were
// behind it when it was given away.
func (st *Stage) requeueInOrder(i uint32) {
	last := len(st.returned) - 1
	if last < 0 || st.returned[last] != i {
		return // a rival has it now
	}
	at := slices.IndexFunc(st.returned, func(task uint32) bool { return task >= i })
	copy(st.returned[at+1:], st.returned[at:last])
	st.returned[at] = i
}
