package client

import (
	"context"
	"slices"
	"strings"
	"time"

	"lull/client/progress"
	"lull/client/story"
	"lull/subjects"
	"lull/subjects/ledger"
)

// Why is why a job, or one of its tasks, fared as it did.
type Why struct {
	Job     string
	State   string       // its phase
	Label   string       // of the task, if there is one: see spec.Stage.Label
	Reasons []string     // sentences, a line each, in the order of events
	Rates   *story.Rates // how fast its tasks read; nil for an ended job and for one task
}

// Text is the reasons, a line each.
func (w *Why) Text() string { return strings.Join(w.Reasons, "\n") + "\n" }

// Why explains from the decisions in the log why a job was admitted or rejected, why its tasks went
// where they went, and what it waits for now. A prefix of the job's id is enough if no other job
// has it. The error is ErrNoJob or ErrSeveral, among others.
func (c *Client) Why(ctx context.Context, job string) (*Why, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // of the view
	view, err := c.View(ctx)
	if err != nil {
		return nil, err
	}
	j, err := Find(view.State, job)
	if err != nil {
		return nil, err
	}
	return view.Why(ctx, j, WhyOptions{})
}

// WhyOptions say what Why explains. The zero value is a whole job, in words.
type WhyOptions struct {
	Task   *subjects.TaskID // nil for the whole job
	Detail story.Detail     // Full adds figures and ids
}

// Why is Client.Why in a view that is there already.
func (v *View) Why(ctx context.Context, j *ledger.Job, o WhyOptions) (*Why, error) {
	history, err := v.client.History(ctx, j.ID)
	if err != nil {
		return nil, err
	}
	var usage map[string]*subjects.Usage // nil where telemetry cannot be read
	if !j.Phase.Ended() {
		usage, _ = v.client.LastUsage(ctx, HostsUp(v.State))
	}
	w := &Why{Job: j.ID, State: j.Phase.String()}
	var text string
	if o.Task != nil {
		w.Label = story.LabelsOf(history).Of(*o.Task)
		text = story.Task(j, *o.Task, history, time.Now(), o.Detail)
	} else {
		text = story.Job(v.State, j, history, usage, time.Now(), o.Detail)
	}
	if !j.Phase.Ended() {
		text += v.starved(ctx, j.ID) + story.Withheld(usage)
	}
	if !j.Phase.Ended() {
		speeds, err := v.client.LastSpeeds(ctx, HostsOf(v.State, func(at *ledger.Attempt) bool { return at.Job == j }))
		if err != nil {
			return nil, err
		}
		text += story.Storing(v.State, j, o.Task, speeds)
	}
	if o.Task == nil {
		moves, err := v.moves(ctx, j, w)
		if err != nil {
			return nil, err
		}
		text += moves
	}
	w.Reasons = strings.Split(strings.TrimRight(text, "\n"), "\n")
	return w, nil
}

// starved returns which data nodes a job's next tasks wait for, "" for none. It is "" too where the
// slotter does not answer: the story has what is in the log.
func (v *View) starved(ctx context.Context, job string) string {
	found, err := v.client.DataNodes(ctx, job)
	if err != nil {
		return ""
	}
	return story.Starved(found)
}

// moves describes which of the job's tasks were stopped and how fast they read, if it is open, and which jobs
// made way for it.
func (v *View) moves(ctx context.Context, j *ledger.Job, to *Why) (string, error) {
	ended, err := v.client.Revocations(ctx, j.ID)
	if err != nil {
		return "", err
	}
	rates, stopped := &story.Rates{}, ""
	if !j.Phase.Ended() {
		speeds, err := v.client.LastSpeeds(ctx, HostsOf(v.State, func(at *ledger.Attempt) bool { return at.Job == j }))
		if err != nil {
			return "", err
		}
		rates = story.RatesOf(v.State, j, speeds, time.Now())
		to.Rates = rates
		if task := progress.Stopped(v.State, j, speeds); task != "" {
			stopped = "Now: " + task + ".\n"
		}
	}
	return stopped + story.Moves(v.State, j, rates, ended, time.Now()), nil
}

// HostsOf returns the hosts that run matching attempts.
func HostsOf(s *ledger.State, matches func(*ledger.Attempt) bool) (names []string) {
	for _, h := range s.Hosts() {
		if !h.Gone && slices.ContainsFunc(h.Attempts(), func(at *ledger.Attempt) bool { return at.State == ledger.Running && matches(at) }) {
			names = append(names, h.Name)
		}
	}
	return names
}
