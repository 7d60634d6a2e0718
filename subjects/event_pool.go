package subjects

// Facts about the pool, its queues and its leaders.

// PoolPaused stops assignments in the whole pool, also to hosts that join later.
type PoolPaused struct {
	User string `msgpack:"-" json:",omitempty"` // the operator, "" for none; proven if `vouched` of admission's `led` is set
	Who  string `msgpack:"who,omitempty"`       // the operator that the message names: a claim
	Why  string `msgpack:"why,omitempty"`       // the operator's reason
}

// PoolResumed ends PoolPaused.
type PoolResumed struct {
	User string `msgpack:"-" json:",omitempty"` // the operator, "" for none; proven if `vouched` of admission's `led` is set
	Who  string `msgpack:"who,omitempty"`       // the operator that the message names: a claim
}

// Voided takes the place of lost entries: the missing ones from From up to its own
// sequence. Their sequences are never given out again. A repair of the store writes it,
// marked as optional.
type Voided struct {
	From uint64 `msgpack:"from"` // sequence of the first lost entry
	// Inbox is the inbox message up to which submissions count as dealt with, in place of the lost
	// entries; 0 for unchanged.
	Inbox uint64 `msgpack:"inbox,omitempty"`
	Why   string `msgpack:"why"` // the reason, for people
}

// Shared gives a queue its weight: the pool's capacity is divided among the
// queues that have work in proportion to their weights.
type Shared struct {
	Queue  string  `msgpack:"-"`
	User   string  `msgpack:"-" json:",omitempty"` // the operator, "" for none; proven if `vouched` of admission's `led` is set
	Weight float64 `msgpack:"weight"`              // 0 resets the queue's weight and limit
	// Jobs is how many of its jobs run at once, in the order of submission; 0 for any number.
	Jobs uint32 `msgpack:"jobs,omitempty"`
	Who  string `msgpack:"who,omitempty"` // the operator that the message names: a claim
}

// Led makes an instance the writer of a partition; its stream sequence is the term.
type Led struct {
	Actor     string `msgpack:"-"`        // the service
	Partition string `msgpack:"-"`        // what it writes for: all, the whole pool
	Instance  string `msgpack:"instance"` // of the service: each start has another one
	// Inbox is when the inbox that the instance reads was created, in nanoseconds since 1970; 0 for an
	// instance that reads none.
	Inbox     int64  `msgpack:"inbox,omitempty"`
	InboxLast uint64 `msgpack:"inbox_last,omitempty"` // sequence of the inbox's last message at that moment
	// Format is the newest form of messages that the instance understands.
	Format uint32 `msgpack:"format,omitempty"`
	// Vouched says, of admission, that the server's permissions fix each key's user: users in subjects
	// are proven from here on. Without it they are claims.
	Vouched bool `msgpack:"vouched,omitempty"`
}
