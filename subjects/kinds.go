package subjects

// kind ties a verb to the shape of its subject and to its event's type.
type kind struct {
	about string // first token after the pool: job, host, model, pool, led
	verb  string // "" for led: its subject has no verb
	task  bool   // the subject ends with a job's token
	make  func() Event
	// optional allows readers that are older than the kind to pass over its
	// events, because the rest of the log means the same without them. Encode
	// marks the messages, and the log keeps the mark.
	optional bool
}

// Ledger is the vocabulary of a pool's log: jobs, hosts, attempts. A kind that is missing
// here does not exist: the log's stream does not keep it and Decode does not know it.
var Ledger = vocabulary([]kind{
	{"job", "submitted", false, func() Event { return new(Submitted) }, false},
	{"job", "admitted", false, func() Event { return new(Admitted) }, false},
	// Not optional: the tasks of such a job run. Admission says it once the services that
	// lead read FormatTrying.
	{"job", "trying", false, func() Event { return new(Trying) }, false},
	{"job", "rejected", false, func() Event { return new(Rejected) }, false},
	{"job", "endangered", false, func() Event { return new(Endangered) }, false},
	// Not optional: a fold that passes over it waits for tasks that never run. The slotter says
	// it once the services that lead read FormatStageFailed.
	{"job", "stagefailed", false, func() Event { return new(StageFailed) }, false},
	// Optional: it narrows where tasks run, and nothing else follows from it.
	{"job", "steered", false, func() Event { return new(Steered) }, true},
	// Optional, for the same reason.
	{"job", "placed", false, func() Event { return new(Placed) }, true},
	{"job", "cancelled", false, func() Event { return new(Cancelled) }, false},
	// Not optional: a fold that passes over it waits for tasks that never run. Admission says it once the services that
	// lead read FormatTasksCancelled.
	{"job", "taskscancelled", false, func() Event { return new(TasksCancelled) }, false},
	{"job", "retried", false, func() Event { return new(Retried) }, false},
	{"job", "finished", false, func() Event { return new(JobFinished) }, false},
	{"job", "failed", false, func() Event { return new(JobFailed) }, false},

	{"model", "fitted", false, func() Event { return new(Fitted) }, false},

	{"host", "joined", false, func() Event { return new(Joined) }, false},
	{"host", "left", false, func() Event { return new(Left) }, false},
	{"host", "lost", false, func() Event { return new(Lost) }, false},
	{"host", "paused", false, func() Event { return new(Paused) }, false},
	{"host", "resumed", false, func() Event { return new(Resumed) }, false},
	{"host", "drained", false, func() Event { return new(Drained) }, false},

	{"host", "harmed", false, func() Event { return new(Harmed) }, false},

	{"host", "assigned", true, func() Event { return new(Assigned) }, false},
	{"host", "revoked", true, func() Event { return new(Revoked) }, false},
	{"host", "paced", true, func() Event { return new(Paced) }, false},
	{"host", "started", true, func() Event { return new(Started) }, false},
	{"host", "finished", true, func() Event { return new(Finished) }, false},
	{"host", "failed", true, func() Event { return new(Failed) }, false},
	{"host", "evicted", true, func() Event { return new(Evicted) }, false},
	{"host", "declined", true, func() Event { return new(Declined) }, false},
	{"host", "identified", true, func() Event { return new(Identified) }, false},
	{"host", "outputlost", true, func() Event { return new(OutputLost) }, false},
	// Not optional: a fold that skipped it would count the task as done, and all that follows (its
	// next assignment, its next finish, the job's end) as void. A host writes it only after the
	// slotter has answered AskKept. The slotter answers that once the leading services read
	// FormatMissing.
	{"host", "outputmissing", true, func() Event { return new(OutputMissing) }, false},

	// Optional: see Classified.
	{"tenant", "classified", false, func() Event { return new(Classified) }, true},
	{"pool", "classified", false, func() Event { return new(PoolClassified) }, true},

	{"queue", "shared", false, func() Event { return new(Shared) }, false},

	{"pool", "paused", false, func() Event { return new(PoolPaused) }, false},
	{"pool", "resumed", false, func() Event { return new(PoolResumed) }, false},
	// Optional: only where jobs are placed follows from it.
	{"pool", "wired", false, func() Event { return new(Wired) }, true},
	// Optional: it lists the tenants of hosts, and only advice on where tasks run follows from that.
	{"pool", "owned", false, func() Event { return new(Owned) }, true},
	{"pool", "voided", false, func() Event { return new(Voided) }, true},

	{"led", "", false, func() Event { return new(Led) }, false},
})

func (k kind) pattern() []string {
	switch {
	case k.about == "pool":
		return []string{k.about, k.verb}
	case k.about == "led":
		return []string{k.about, "*", "*"}
	case k.task:
		return []string{k.about, "*", k.verb, "*"}
	}
	return []string{k.about, "*", k.verb}
}

// signed reports whether a subject of the kind may end with an operator's token.
func (k kind) signed() bool {
	_, ok := k.make().(signed)
	return ok
}

// kind finds the kind that a subject's tokens spell, if there is one.
func (v *Vocabulary) kind(t *tokens) (kind, bool) {
	verb := t.at[2]
	switch t.at[0] {
	case "pool":
		verb = t.at[1]
	case "led":
		verb = ""
	}
	k, ok := v.index[[2]string{t.at[0], verb}]
	return k, ok && (t.n == k.tokens() || t.n == k.tokens()+1 && k.signed())
}

// tokens is how many tokens follow the pool in a subject of the kind.
func (k kind) tokens() int {
	switch {
	case k.about == "pool":
		return 2
	case k.task:
		return 4
	}
	return 3
}

// kindOf finds the kind of an event by the tokens of its subject.
func (v *Vocabulary) kindOf(route []string) (kind, bool) {
	var t tokens
	t.n = copy(t.at[:], route)
	return v.kind(&t)
}
