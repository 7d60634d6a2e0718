package subjects

// AskUsage asks for what hosts published last: UsageAsk → UsageAnswer, answered by the slotter.
const AskUsage = "usage"

// UsageAsk asks for one page of hosts, by name.
type UsageAsk struct {
	After  string `msgpack:"after,omitempty"`  // the last host of the page before
	Speeds bool   `msgpack:"speeds,omitempty"` // with how fast their tasks read
}

// UsageAnswer is a page of hosts, by name. Hosts that were silent of late are left out.
type UsageAnswer struct {
	Error string      `msgpack:"error,omitempty"`
	Hosts []HostUsage `msgpack:"hosts"`
	// Next is where to ask from for the rest, "" when this is all.
	Next string `msgpack:"next,omitempty"`
}

// HostUsage is what a host published last.
type HostUsage struct {
	Host  string  `msgpack:"host"`
	Usage *Usage  `msgpack:"usage"`
	Tasks []Speed `msgpack:"tasks,omitempty"`
}
