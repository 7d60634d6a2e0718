// Package serve holds the commands that run services: all of them in one process (`lull up`), or
// one of them against a NATS server elsewhere. The commands only join what the folders hold.
//
//	flags      flags, and the configurations that they give
//	service    actors and host on their buses, and the groups that run them
//	local      all services in one process, around an embedded server on a data folder
//	dial       connections to a server elsewhere, with their secrets
//	vouch      --vouched: whether users' names are proven
//	doctor     lull doctor
//	helper     processes that an agent starts beside itself
//	observe    log, metrics, health and traces
//	folder, volume, heap, build   the data folder, its free space, the process's memory, the binary
package serve
