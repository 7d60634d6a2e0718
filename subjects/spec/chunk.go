package spec

import "strconv"

// ChunkName names the object with the splits of a list's tasks from
// k·ChunkTasks on.
func ChunkName(list string, k uint32) string {
	return list + "/" + strconv.FormatUint(uint64(k), 10)
}
