package serve

import (
	"os"
	"path/filepath"

	"lull/actors/jetstream/integrity"
	"lull/hostctl/store"
	"lull/subjects"
)

// seen returns the entries of logs for which this machine's agent keeps attempts: each
// attempt was an entry, so its log was at least as long.
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
