package local

import (
	"os"
	"path/filepath"

	"lull/actors/jetstream/integrity"
	"lull/cmd/lull/serve/service"
	"lull/hostctl/store"
	"lull/subjects"
)

// lastAttempts returns, for each log of which this machine's agent keeps attempts, the last of these
// attempts. An attempt is an entry of the log, so the log was at least that long.
func lastAttempts(data string) map[string]integrity.Entry {
	known := map[string]integrity.Entry{}
	pools, err := os.ReadDir(service.AgentFolder(data))
	if err != nil {
		return known // there was no agent here
	}
	for _, pool := range pools {
		created, attempt := store.LogOf(filepath.Join(service.AgentFolder(data), pool.Name()))
		known[subjects.Pool(pool.Name()).Log()] = integrity.Entry{Created: created, Seq: attempt}
	}
	return known
}
