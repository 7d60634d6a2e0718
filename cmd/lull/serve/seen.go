package serve

import (
	"os"
	"path/filepath"

	"lull/actors/jetstream/integrity"
	"lull/hostctl/store"
	"lull/subjects"
)

// seen is what this machine's agent knows of logs: an attempt that it keeps was an
// entry, so the log was at least as long.
func seen(data string) map[string]integrity.Entry {
	known := map[string]integrity.Entry{}
	pools, err := os.ReadDir(agentFolder(data))
	if err != nil {
		return known // there was no agent here
	}
	for _, pool := range pools {
		created, attempt := store.LogOf(filepath.Join(agentFolder(data), pool.Name()))
		known[subjects.Pool(pool.Name()).Log()] = integrity.Entry{Created: created, Seq: attempt}
	}
	return known
}
