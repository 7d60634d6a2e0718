package jobs

import (
	"fmt"
	"io"
	"time"

	"lull/client/progress"
	"lull/cmd/lull/serve/folder"
	"lull/cmd/lull/shellword"
	"lull/subjects/ledger"
)

// advise says what the commands in a job's summary need, if the pool that they are about ends
// with this process. A job that was rejected, or has delivered its results, has no such commands.
func (r *run) advise(session *session, j *ledger.Job, s *ledger.State, out io.Writer) {
	v := progress.Of(s, j, nil, time.Now())
	fetched := v.Output != "" || r.deliverTo != "" || !v.Kept
	if session.local == nil || j.Phase == ledger.Rejected || j.Phase == ledger.Finished && fetched {
		return
	}
	flag, also := "", ""
	if r.Data != folder.Default() {
		flag = " --data " + shellword.Of(r.Data)
		also = ", and add" + flag + " to them"
	}
	_, _ = fmt.Fprintf(out, "This lull stops with the job. Before you use these commands, start it again on the same data folder: lull up%s%s\n", flag, also)
}
