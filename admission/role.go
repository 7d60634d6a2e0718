package admission

import (
	"lull/actors"
	"lull/subjects"
)

// Role is admission's part in a pool.
func Role(pool subjects.Pool) actors.Role {
	r := actors.Service(Name, Version, Reads)
	r.Telemetry = []string{pool.Usage("*")}
	r.Asks = []string{subjects.AskAdmission, subjects.AskJobs}
	return r.In(pool)
}
