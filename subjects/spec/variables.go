package spec

import (
	"fmt"
	"slices"
)

// Variables are the names by which a task learns which one it is, and where its files are. Agents
// set them for each task.
var Variables = []string{
	"LULL_ATTEMPT", "LULL_ATTEMPT_ID", "LULL_CHECKPOINT", "LULL_FILES", "LULL_INPUT", "LULL_INPUT_LENGTH",
	"LULL_INPUT_LIST", "LULL_INPUT_OFFSET", "LULL_JOB", "LULL_LABEL", "LULL_OUT", "LULL_PARAM", "LULL_PARTITION",
	"LULL_PARTITIONS", "LULL_PROGRESS", "LULL_STAGE", "LULL_STOP_REASON", "LULL_TASK", "LULL_TASKS",
}

// CheckVariable returns an error for a name that a document may not set: a task with another
// LULL_OUT would lose its results. Jobs in the log may have such a variable, and keep it.
func CheckVariable(name string) error {
	if slices.Contains(Variables, name) {
		return fmt.Errorf("%s is set by lull for each task: choose another name", name)
	}
	return nil
}
