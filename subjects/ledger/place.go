package ledger

import "slices"

// keepPlace moves a returned task before the later tasks of its stage in the queue: they were
// behind it when it was given away.
func (st *Stage) keepPlace(i uint32) {
	last := len(st.again) - 1
	if last < 0 || st.again[last] != i {
		return // a rival has it now
	}
	at := slices.IndexFunc(st.again, func(task uint32) bool { return task >= i })
	copy(st.again[at+1:], st.again[at:last])
	st.again[at] = i
}
