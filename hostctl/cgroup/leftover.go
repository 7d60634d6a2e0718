package cgroup

// Memory that a slot's tasks leave behind stays charged to the slot: pages and inodes of
// their files, and files in a file system in memory. The next task must not be killed
// because of it.

// Leftover is how many bytes the next task's limit is to be higher than its memory,
// because an empty slot holds them. What is more than half of that memory the kernel
// takes back now: half may stay, because a later stage reads the files. Of the rest
// nothing may be there to take: inodes wait for the disk, and files in memory stay.
// A little, an eighth, is not counted.
func (s *Slot) Leftover(memory int64) int64 {
	left, most := s.resident(), memory/2
	if left > most {
		s.shed(left-most, most)
		left = s.resident()
	}
	if left <= memory/8 {
		return 0
	}
	return left
}

func (s *Slot) resident() int64 {
	m := s.tree.caps.Resident
	if !m.OK() {
		return 0
	}
	n, err := s.in(m).number(m.File)
	if err != nil {
		return 0 // then the limit is the task's memory
	}
	return int64(n)
}

// shed takes so many bytes back, down to a limit. What the kernel cannot find it
// says, and it counts as left.
func (s *Slot) shed(bytes, limit int64) {
	switch m := s.tree.caps.Reclaim; m.Version {
	case 1:
		_ = limitMemoryV1(s.in(m), orMax(limit, "-1"))
	case 2:
		_ = s.in(m).write(m.File, orMax(bytes, "0"))
	}
}
