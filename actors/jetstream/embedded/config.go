package embedded

import (
	"github.com/nats-io/nats-server/v2/server"

	"lull/actors"
	"lull/actors/jetstream/integrity"
	"lull/subjects"
)

// Config says how the server inside this process runs.
type Config struct {
	// Dir is the store folder; one server at a time may have it. Required.
	Dir string
	// Listen is host:port for others; port 0 takes a free one. Defaults to
	// "": this process alone.
	Listen string
	// Token is what clients over Listen must present. Defaults to "": every client may connect.
	Token string
	// Pools are those whose logs live here. Defaults to subjects.DefaultPool.
	Pools []subjects.Pool
	// SyncAlways makes every acknowledgement wait for an fsync, so that it
	// outlives a power cut. Without it up to two minutes are lost.
	SyncAlways bool
	// MaxStore bounds the bytes of the store. Defaults to 0: three quarters
	// of the disk's free space when it starts.
	MaxStore int64
	// MaxMemory bounds the bytes of what is kept in memory: leases. Defaults
	// to 64 MB.
	MaxMemory int64
	// Logger takes the server's log. Defaults to none.
	Logger server.Logger

	// Tell is called with a text for each damage of the store that was repaired. Defaults to
	// nothing.
	Tell func(text string)
	// Repair starts the server even if the store has lost entries; otherwise Start
	// fails with an *integrity.LossError. Again runs the inbox's old jobs again when
	// the whole log is lost.
	Repair, Again bool
	// Remedy is the command that repairs, for the error's text.
	Remedy string
	// Seen are log entries known from elsewhere, by stream: see integrity.Config.
	Seen map[string]integrity.Entry
}

// MaxWaiting is the limit of messages that wait for a stream to store them. Each message published
// alone costs an fsync, and a service's batch waits behind all of them: with the server's default
// of 10,000 that took 15 s (measured). The largest batch has to fit. The server answers further
// messages with 429, and their writers send again.
const MaxWaiting = actors.MaxBatch + 24

func (s *Server) options() (*server.Options, error) {
	options := &server.Options{
		ServerName: "lull", NoSigs: true, NoLog: s.cfg.Logger == nil,
		JetStream: true, StoreDir: s.store(), SyncAlways: s.cfg.SyncAlways,
		JetStreamMaxStore: s.cfg.MaxStore, JetStreamMaxMemory: s.cfg.MaxMemory,
		JetStreamLimits:       server.JSLimitOpts{DefaultMaxConsumers: -1},
		StreamMaxBufferedMsgs: MaxWaiting,
		Authorization:         s.cfg.Token, MaxPayload: 1 << 20, NoSystemAccount: false,
		DontListen: s.mu.listen == "",
	}
	if options.DontListen {
		return options, nil
	}
	return options, listenOn(options, s.mu.listen)
}
