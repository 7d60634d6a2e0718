package main

import "slices"

// live are the packages whose tests meet what no test can hold still, by what that is. The tests of all other packages are exact:
// whatever else the machine does, one that fails shows a fault. TestLivePackagesAreListed keeps the list whole.
var live = map[string][]string{
	"processes, and the CPU that the machine leaves idle": {
		"lull/actors/account", "lull/client/publish", "lull/cmd/lull", "lull/cmd/lull/commands/adhoc", "lull/cmd/lull/commands/echo",
		"lull/cmd/lull/interrupt", "lull/cmd/lull/serve", "lull/cmd/lull/serve/local", "lull/cmd/lull/shellword", "lull/hostctl",
		"lull/hostctl/cgroup", "lull/hostctl/publisher", "lull/hostctl/rig", "lull/hostctl/sense", "lull/hostctl/shim", "lull/hostctl/spread",
		"lull/hostctl/spreading", "lull/test/chaos", "lull/test/corruption", "lull/test/examples", "lull/test/hostile", "lull/test/pipeline",
		"lull/test/plainclient", "lull/test/reports", "lull/test/upgrade",
	},
	"servers and the network": {
		"lull/actors/jetstream", "lull/actors/jetstream/connect", "lull/actors/jetstream/embedded", "lull/actors/jetstream/integrity",
		"lull/client", "lull/client/fetch", "lull/client/pin", "lull/cmd/lull/commands/jobs", "lull/cmd/lull/importer/prometheus",
		"lull/cmd/lull/serve/dial", "lull/cmd/lull/serve/observe", "lull/cmd/lull/serve/observe/otlp", "lull/cmd/lull/serve/service",
		"lull/cmd/lull/serve/vouch", "lull/deploy", "lull/hostctl/fileserver", "lull/hostctl/inputs", "lull/hostctl/lookup",
		"lull/hostctl/moved", "lull/hostctl/probing", "lull/hostctl/remote", "lull/test/bench/tenant",
	},
	"the kernel's accounts and caches": {
		"lull/hostctl/contain", "lull/hostctl/lines", "lull/hostctl/measure", "lull/hostctl/pacing", "lull/hostctl/store",
		"lull/cmd/lull/serve/heap", "lull/monitor", "lull/monitor/waits", "lull/test/bench/live/interference", "lull/test/dirty", "lull/test/poll",
	},
}

// isLive reports whether a package's tests are live.
func isLive(pkg string) bool {
	for _, packages := range live {
		if slices.Contains(packages, pkg) {
			return true
		}
	}
	return false
}
