// Package jetstream is the actors.Bus on NATS JetStream.
//
//	conn, err := connect.Dial(url, "slotter", token)
//	bus, err := jetstream.Open(ctx, conn, subjects.DefaultPool)
//
// With the server in this process only the first line differs: see package embedded.
//
// Open makes the streams and buckets of the pool, or checks that those which
// exist are as they must be:
//
//	LULL_<pool>             the log: file, limits retention, atomic batches, direct get
//	LULL_<pool>_INBOX       what clients publish: file, limits, 30 days, 1 GB, two hours of message ids
//	LULL_<pool>_QUARANTINE  refused bytes: file, 7 days, 64 MB
//	LULL_<pool>_LEASES      key-value bucket in memory, a TTL on each key
//	LULL_<pool>_SNAPSHOTS   object bucket of actors' snapshots
//	LULL_<pool>_LISTS       pieces of task lists: file, 8 GB
//	LULL_<pool>_OBJECTS     object bucket of task lists of older versions: 1 GB
//
// The quotas are smaller where the server cannot reserve four times as much.
package jetstream
