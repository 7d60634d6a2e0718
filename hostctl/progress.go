package hostctl

import "lull/hostctl/store"

const progressName = "lull-progress"

// progressFile is where an attempt may report. It lies in its working folder, and
// does not exist until the task makes it.
func progressFile(f store.Folder) string { return f.Work() + "/" + progressName }
