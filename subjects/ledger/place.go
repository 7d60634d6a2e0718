package ledger

import "slices"

// keepPlace moves a task that was just returned to the queue before the later tasks of the
// stage that came back: they were behind it when it was given away.
func (st *Stage) keepPlace(i uint32) {
	last := len(st.again) - 1
	if last < 0 || st.again[last] != i {
		return // a rival has it now
	}
	at := slices.IndexFunc(st.again, func(task uint32) bool { return task >= i })
	copy(st.again[at+1:], st.again[at:last])
	st.again[at] = i
}
