package subjects

import "strings"

// MaxText bounds a text of an event that is meant for users, in bytes. Such texts quote
// input from outside: a document, an output, an address.
const MaxText = 8 << 10

// texter is an event with texts for users.
type texter interface{ texts() []*string }

// shorten bounds the texts of an event, so that none makes it larger than a message may be, or
// fills the memory of the services that fold it.
func shorten(e Event) {
	t, ok := e.(texter)
	if !ok {
		return
	}
	for _, text := range t.texts() {
		*text = Clip(*text, MaxText)
	}
}

// Clip cuts a text to at most most bytes, three at least. A text that was cut ends in "…"
// and is valid UTF-8.
func Clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	const dots = "…"
	return strings.ToValidUTF8(text[:most-len(dots)], "") + dots
}

func (e *Submitted) texts() []*string { return []*string{&e.User, &e.Client, &e.Trace} }
func (e *Admitted) texts() []*string  { return []*string{&e.Mode, &e.Why} }
func (e *Rejected) texts() []*string {
	return []*string{&e.Name, &e.User, &e.Client, &e.Code, &e.Text, &e.Trace}
}
func (e *Endangered) texts() []*string  { return []*string{&e.Why} }
func (e *StageFailed) texts() []*string { return []*string{&e.Code, &e.Text} }
func (e *Trying) texts() []*string      { return []*string{&e.Why} }
func (e *Cancelled) texts() []*string   { return []*string{&e.User, &e.Who, &e.Why} }
func (e *Retried) texts() []*string {
	own := []*string{&e.User, &e.Who, &e.Why}
	if e.Doc != nil {
		own = append(own, e.Doc.texts()...)
	}
	return own
}
func (e *JobFailed) texts() []*string     { return []*string{&e.Code, &e.Text} }
func (e *Joined) texts() []*string        { return []*string{&e.Class, &e.Version} }
func (e *Paused) texts() []*string        { return []*string{&e.Who, &e.Why} }
func (e *Resumed) texts() []*string       { return []*string{&e.Who} }
func (e *Drained) texts() []*string       { return []*string{&e.Who, &e.Why} }
func (e *PoolPaused) texts() []*string    { return []*string{&e.Who, &e.Why} }
func (e *PoolResumed) texts() []*string   { return []*string{&e.Who} }
func (e *Voided) texts() []*string        { return []*string{&e.Why} }
func (e *Shared) texts() []*string        { return []*string{&e.Who} }
func (e *Wired) texts() []*string         { return []*string{&e.Who} }
func (e *Owned) texts() []*string         { return []*string{&e.Who} }
func (e *Revoked) texts() []*string       { return []*string{&e.Why} }
func (e *Paced) texts() []*string         { return []*string{&e.Why} }
func (e *Finished) texts() []*string      { return []*string{&e.Text} }
func (e *Failed) texts() []*string        { return []*string{&e.Reason, &e.Text, &e.Tail, &e.Label} }
func (e *Evicted) texts() []*string       { return []*string{&e.Reason, &e.Text} }
func (e *Declined) texts() []*string      { return []*string{&e.Reason, &e.Text} }
func (e *OutputMissing) texts() []*string { return []*string{&e.Folder} }
func (e *Identified) texts() []*string    { return []*string{&e.Refused} }
