package cgroup

// Memory that a slot's tasks leave behind stays charged to the slot: pages and inodes of their
// files, and files of in-memory file systems. It must not get the next task killed.

// Leftover is how many bytes the next task's limit is to be higher than its memory,
// because an empty slot holds them. What is more than half of that memory the kernel
// takes back now: half may stay, because a later stage reads the files. Of the rest
// nothing may be there to take: inodes wait for the disk, and files in memory stay.
// A little, an eighth, is not counted. Only one goroutine at a time may ask.
func (s *Slot) Leftover(memory int64) int64 {
	m := slotMemory{s}
	left, most := m.resident(), memory/2
	if left > most {
		m.reclaim(left-most, most)
		left = m.resident()
	}
	if left <= memory/8 {
		return 0
	}
	return left
}

// slotMemory is the memory of a slot's group.
type slotMemory struct{ slot *Slot }

// resident is the bytes that are charged to the group, 0 if that is not known.
func (m slotMemory) resident() int64 {
	if !m.slot.tree.caps.Resident.OK() {
		return 0
	}
	n, err := m.slot.resident.number("")
	if err != nil {
		return 0 // then the limit is the task's memory
	}
	return int64(n)
}

// reclaim takes so many bytes back, down to a limit. Its error does not matter: what the kernel
// did not take is still resident.
func (m slotMemory) reclaim(bytes, limit int64) {
	switch by := m.slot.tree.caps.Reclaim; by.Version {
	case 1:
		d := m.slot.in(by)
		_ = m.slot.tree.Settings.briefly(d, by.File, func() error { return limitMemoryV1(d, orMax(limit, "-1")) })
	case 2:
		_ = m.slot.in(by).write(by.File, orMax(bytes, "0"))
	}
}
