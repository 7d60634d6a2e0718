package speeds

import "lull/subjects"

// Storing is how far the commit of an attempt's output has come, in bytes.
type Storing struct {
	Attempt       uint64
	Hashed, Whole int64
}

// add adds commits to rates. An attempt may have both.
func add(tasks []subjects.Speed, commits []Storing) []subjects.Speed {
	at := make(map[uint64]int, len(tasks))
	for i, t := range tasks {
		at[t.Attempt] = i
	}
	for _, c := range commits {
		i, known := at[c.Attempt]
		if !known {
			i, tasks = len(tasks), append(tasks, subjects.Speed{Attempt: c.Attempt})
		}
		tasks[i].Stored, tasks[i].Storing = c.Hashed, c.Whole
	}
	return tasks
}
