package subjects

// JobOf returns the job that an event is about, as a whole or by one of its
// tasks, "" if there is none.
func JobOf(e Event) string {
	if _, ok := e.(signed); ok {
		return "" // a token after the verb is the operator
	}
	switch tokens := e.route(); {
	case tokens[0] == "job":
		return tokens[1]
	case len(tokens) == 4:
		return tokens[3]
	}
	return ""
}

// HostOf returns the host that an event is about, "" if there is none.
func HostOf(e Event) string {
	if tokens := e.route(); tokens[0] == "host" {
		return tokens[1]
	}
	return ""
}

// InboxOf is the sequence of the inbox message that an event decides on, 0 if it
// decides on none.
func InboxOf(e Event) uint64 {
	switch e := e.(type) {
	case *Submitted:
		return e.Inbox
	case *Rejected:
		return e.Inbox
	case *Cancelled:
		return e.Inbox
	case *Retried:
		return e.Inbox
	case *TasksCancelled:
		return e.Inbox
	}
	return 0
}

func (e *Submitted) route() []string   { return []string{"job", e.Job, "submitted"} }
func (e *Admitted) route() []string    { return []string{"job", e.Job, "admitted"} }
func (e *Trying) route() []string      { return []string{"job", e.Job, "trying"} }
func (e *Rejected) route() []string    { return []string{"job", e.Job, "rejected"} }
func (e *Steered) route() []string     { return []string{"job", e.Job, "steered"} }
func (e *Placed) route() []string      { return []string{"job", e.Job, "placed"} }
func (e *Endangered) route() []string  { return []string{"job", e.Job, "endangered"} }
func (e *StageFailed) route() []string { return []string{"job", e.Job, "stagefailed"} }
func (e *Cancelled) route() []string   { return []string{"job", e.Job, "cancelled"} }
func (e *Retried) route() []string     { return []string{"job", e.Job, "retried"} }
func (e *JobFinished) route() []string { return []string{"job", e.Job, "finished"} }
func (e *JobFailed) route() []string   { return []string{"job", e.Job, "failed"} }

func (e *Fitted) route() []string { return []string{"model", e.Type, "fitted"} }

func (e *Joined) route() []string  { return []string{"host", e.Host, "joined"} }
func (e *Left) route() []string    { return []string{"host", e.Host, "left"} }
func (e *Lost) route() []string    { return []string{"host", e.Host, "lost"} }
func (e *Paused) route() []string  { return sign(e, "host", e.Host, "paused") }
func (e *Resumed) route() []string { return sign(e, "host", e.Host, "resumed") }
func (e *Drained) route() []string { return sign(e, "host", e.Host, "drained") }
func (e *Harmed) route() []string  { return []string{"host", e.Host, "harmed"} }

func (e *Assigned) route() []string      { return []string{"host", e.Host, "assigned", e.Job} }
func (e *Revoked) route() []string       { return []string{"host", e.Host, "revoked", e.Job} }
func (e *Paced) route() []string         { return []string{"host", e.Host, "paced", e.Job} }
func (e *Identified) route() []string    { return []string{"host", e.Host, "identified", e.Job} }
func (e *Started) route() []string       { return []string{"host", e.Host, "started", e.Job} }
func (e *Finished) route() []string      { return []string{"host", e.Host, "finished", e.Job} }
func (e *Failed) route() []string        { return []string{"host", e.Host, "failed", e.Job} }
func (e *Evicted) route() []string       { return []string{"host", e.Host, "evicted", e.Job} }
func (e *Declined) route() []string      { return []string{"host", e.Host, "declined", e.Job} }
func (e *OutputLost) route() []string    { return []string{"host", e.Host, "outputlost", e.Job} }
func (e *OutputMissing) route() []string { return []string{"host", e.Host, "outputmissing", e.Job} }

func (e *Classified) route() []string     { return []string{"tenant", e.Tenant, "classified"} }
func (e *PoolClassified) route() []string { return []string{"pool", "classified"} }

func (e *Wired) route() []string       { return sign(e, "pool", "wired") }
func (e *Owned) route() []string       { return sign(e, "pool", "owned") }
func (e *Shared) route() []string      { return sign(e, "queue", e.Queue, "shared") }
func (e *PoolPaused) route() []string  { return sign(e, "pool", "paused") }
func (e *PoolResumed) route() []string { return sign(e, "pool", "resumed") }
func (e *Voided) route() []string      { return []string{"pool", "voided"} }
func (e *Led) route() []string         { return []string{"led", e.Actor, e.Partition} }

func (e *Submitted) fill(t []string)   { e.Job = t[1] }
func (e *Admitted) fill(t []string)    { e.Job = t[1] }
func (e *Rejected) fill(t []string)    { e.Job = t[1] }
func (e *Trying) fill(t []string)      { e.Job = t[1] }
func (e *Steered) fill(t []string)     { e.Job = t[1] }
func (e *Placed) fill(t []string)      { e.Job = t[1] }
func (e *Endangered) fill(t []string)  { e.Job = t[1] }
func (e *StageFailed) fill(t []string) { e.Job = t[1] }
func (e *Cancelled) fill(t []string)   { e.Job = t[1] }
func (e *Retried) fill(t []string)     { e.Job = t[1] }
func (e *JobFinished) fill(t []string) { e.Job = t[1] }
func (e *JobFailed) fill(t []string)   { e.Job = t[1] }

func (e *Fitted) fill(t []string) { e.Type = t[1] }

func (e *Joined) fill(t []string)  { e.Host = t[1] }
func (e *Left) fill(t []string)    { e.Host = t[1] }
func (e *Lost) fill(t []string)    { e.Host = t[1] }
func (e *Paused) fill(t []string)  { e.Host = t[1]; signature(e, t[3:]) }
func (e *Resumed) fill(t []string) { e.Host = t[1]; signature(e, t[3:]) }
func (e *Drained) fill(t []string) { e.Host = t[1]; signature(e, t[3:]) }
func (e *Harmed) fill(t []string)  { e.Host = t[1] }

func (e *Assigned) fill(t []string)      { e.Host, e.Job = t[1], t[3] }
func (e *Revoked) fill(t []string)       { e.Host, e.Job = t[1], t[3] }
func (e *Paced) fill(t []string)         { e.Host, e.Job = t[1], t[3] }
func (e *Identified) fill(t []string)    { e.Host, e.Job = t[1], t[3] }
func (e *Started) fill(t []string)       { e.Host, e.Job = t[1], t[3] }
func (e *Finished) fill(t []string)      { e.Host, e.Job = t[1], t[3] }
func (e *Failed) fill(t []string)        { e.Host, e.Job = t[1], t[3] }
func (e *Evicted) fill(t []string)       { e.Host, e.Job = t[1], t[3] }
func (e *Declined) fill(t []string)      { e.Host, e.Job = t[1], t[3] }
func (e *OutputLost) fill(t []string)    { e.Host, e.Job = t[1], t[3] }
func (e *OutputMissing) fill(t []string) { e.Host, e.Job = t[1], t[3] }

func (e *Shared) fill(t []string)         { e.Queue = t[1]; signature(e, t[3:]) }
func (e *PoolPaused) fill(t []string)     { signature(e, t[2:]) }
func (e *PoolResumed) fill(t []string)    { signature(e, t[2:]) }
func (e *Wired) fill(t []string)          { signature(e, t[2:]) }
func (e *Owned) fill(t []string)          { signature(e, t[2:]) }
func (e *Classified) fill(t []string)     { e.Tenant = t[1] }
func (e *PoolClassified) fill(_ []string) {}

func (e *Voided) fill([]string) {}
func (e *Led) fill(t []string)  { e.Actor, e.Partition = t[1], t[2] }
