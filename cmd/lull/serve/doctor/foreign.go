package doctor

import (
	"fmt"
	"path/filepath"
	"time"

	"lull/cmd/lull/serve/service"
	"lull/hostctl/guarding"
)

// checkForeignWrites says what other programs wrote to the cgroups of the agents that use a data folder, for
// each agent that has put something back.
func checkForeignWrites(data string) (checks []Check) {
	records, _ := filepath.Glob(filepath.Join(service.AgentFolder(data), "*", guarding.RecordName))
	for _, path := range records {
		w, err := guarding.ReadForeignWrites(path)
		if err != nil {
			continue // it is being replaced, or its agent began anew
		}
		checks = append(checks, Check{"cgroups", false, fmt.Sprintf(
			"another program wrote to lull's cgroups: %d values were put back since the agent started, the last at %s in %s (%s, put back to %s): find and stop that program",
			w.Count, w.At.Format(time.DateTime), w.Last.File, w.Last.Found, w.Last.Restored)})
	}
	return checks
}
