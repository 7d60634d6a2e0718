package slotter

import (
	"lull/actors"
	"lull/subjects"
)

// Role is the slotter's part in a pool. It trims the log, since it has folded all of it
// whenever it decides.
func Role(pool subjects.Pool) actors.Role {
	r := actors.Service(Name, Version, Reads)
	r.Trimmer, r.Awaits = true, []string{string(subjects.RoleAdmission) + ".all"}
	r.Telemetry = []string{pool.Usage("*"), pool.Beat("*"), pool.Speed("*")}
	r.Asks = []string{
		subjects.AskOutputs, subjects.AskWanted, subjects.AskKept, subjects.AskRoom, subjects.AskDocument, subjects.AskDataNodes,
		subjects.AskUsage, subjects.AskHosts, subjects.AskModels, subjects.AskQueues, subjects.AskJob, subjects.AskTenants,
	}
	return r.In(pool)
}
