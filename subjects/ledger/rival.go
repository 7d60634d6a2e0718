package ledger

import (
	"cmp"
	"slices"
)

// Rival returns the attempt that runs beside the holder of task i, nil if there
// is none.
func (st *Stage) Rival(i uint32) *Attempt {
	if at, ok := st.findRival(i); ok {
		return st.rivals[at]
	}
	return nil
}

// Rivals is the number of attempts that run beside the holders of their tasks.
func (st *Stage) Rivals() int { return len(st.rivals) }

func (st *Stage) findRival(i uint32) (int, bool) {
	return slices.BinarySearchFunc(st.rivals, i, func(a *Attempt, i uint32) int {
		return cmp.Compare(a.Task.Task, i)
	})
}

// contestable reports whether task i has a holder and no rival.
func (st *Stage) contestable(i uint32) bool {
	return st.state(i) == Held && st.Rival(i) == nil
}

// compete makes the attempt the rival of its task's holder.
func (st *Stage) compete(a *Attempt) {
	at, _ := st.findRival(a.Task.Task)
	st.rivals = slices.Insert(st.rivals, at, a)
	a.Rival = true
}

// withdraw ends that the attempt is a rival.
func (a *Attempt) withdraw() {
	if !a.Rival {
		return
	}
	a.Rival = false
	st := a.stage()
	if at, ok := st.findRival(a.Task.Task); ok {
		st.rivals = slices.Delete(st.rivals, at, at+1)
	}
}

// promoteRival makes the rival of a holder that is gone the holder, and reports
// whether there is one.
func (a *Attempt) promoteRival() bool {
	st := a.stage()
	rival := st.Rival(a.Task.Task)
	if rival == nil {
		return false
	}
	rival.withdraw()
	t := st.at(a.Task.Task)
	t.attempt, t.host = rival.ID, rival.Host.id
	return true
}
