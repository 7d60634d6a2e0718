package ledger

import (
	"lull/subjects"
	"lull/subjects/spec"
)

// fits says whether the host has the slots, memory and labels for the task.
func fits(h *Host, st *spec.Stage, e *subjects.Assigned) Verdict {
	switch {
	case e.Width != st.CPU || e.Part != 0 && e.Part != st.Part || !h.Free(e.Slot, e.Width, e.Part):
		return void("the slots are not free")
	case st.Memory > h.FreeMemory():
		return void("the host's memory is promised to others")
	case !h.Matches(st.Where):
		return void("the host lacks a label")
	}
	return accepted
}
