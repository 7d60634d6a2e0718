package ledger

import "lull/subjects"

// discard ends a done task for good: its output is gone once too often.
func (st *Stage) discard(i uint32) {
	st.tasks[i].state, st.tasks[i].attempt = Dead, 0
	st.tasks[i].manifest = subjects.Digest{}
	st.Done--
	st.Dead++
}

// kill ends a held task for good: its retries are used up.
func (st *Stage) kill(i uint32) {
	st.tasks[i].state, st.tasks[i].attempt = Dead, 0
	st.Held--
	st.Dead++
}

// killWaiting ends all waiting tasks for good.
func (st *Stage) killWaiting() {
	for i := range st.size {
		if t := st.at(i); t.state == Waiting {
			t.state = Dead
			st.Dead++
		}
	}
	st.returned, st.delayed, st.next = nil, nil, st.size
}
