package sim

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"time"

	"lull/subjects"
)

// clients submit the scenario's jobs, and cancel those that exceed their Patience.
type clients struct {
	w    *World
	net  *rand.Rand
	next int // job to be submitted
	open int // jobs that have not ended
	jobs map[string]int
	turn timer
}

// client is the name that all clients give.
const client = "sim"

func (w *World) addClients() error {
	c := &w.clients
	*c = clients{w: w, net: stream(w.Seed, "client"), open: len(w.Jobs), jobs: make(map[string]int, len(w.Jobs))}
	c.turn.do = c.submit
	for i := range w.Jobs {
		if _, err := document(&w.Jobs[i].Spec); err != nil {
			return fmt.Errorf("job %d (%s): %w", i, w.Jobs[i].Spec.Name, err)
		}
		c.jobs[c.id(i)] = i
	}
	if len(w.Jobs) > 0 {
		w.arm(&c.turn, w.Jobs[0].At)
	}
	return nil
}

// id returns the job's id, as admission makes it.
func (c *clients) id(i int) string {
	return subjects.JobID(c.w.Jobs[i].Spec.Name, client, c.message(i), 0)
}

func (c *clients) message(i int) string { return fmt.Sprintf("job-%d", i) }

// submit publishes the next job.
func (c *clients) submit() {
	i := c.next
	j := &c.w.Jobs[i]
	body, err := document(&j.Spec)
	if err != nil {
		c.w.failure = err
		return
	}
	c.publish(c.w.pool().Submit(), c.message(i), body)
	if j.Patience > 0 {
		c.w.arm(&timer{do: func() { c.cancel(i) }}, c.patience(i))
	}
	if c.next++; c.next < len(c.w.Jobs) {
		c.w.arm(&c.turn, c.w.Jobs[c.next].At)
	}
}

// patience returns when the job's client gives up.
func (c *clients) patience(i int) time.Duration {
	j := &c.w.Jobs[i]
	switch {
	case j.Spec.DeadlineIn != 0:
		return j.At + j.Spec.DeadlineIn + j.Patience
	case j.Spec.DeadlineAt != 0:
		return since(j.Spec.DeadlineAt) + j.Patience
	}
	return j.At + j.Patience
}

func (c *clients) cancel(i int) {
	if c.w.record.jobs[i].Ended != 0 {
		return
	}
	body, err := json.Marshal(subjects.Request{Job: c.id(i), Who: client, Why: "it took too long"})
	if err != nil {
		c.w.failure = err
		return
	}
	c.publish(c.w.pool().Request(subjects.RequestCancel), "cancel-"+c.message(i), body)
}

// publish sends a message to the inbox, until it is acknowledged. A repeat
// carries the same id, by which the inbox knows it.
func (c *clients) publish(subject, id string, body []byte) {
	f := c.w.fate(OpPublish, "client", "")
	m := message{subject: subject, header: map[string]string{messageID: id, "Lull-Client": client}, body: body}
	arrive := func() {
		c.w.bus.publish(wall(c.w.now), m)
		for _, r := range c.w.services {
			r.scheduleInbox()
		}
	}
	latency := time.Millisecond/2 + time.Duration(c.net.ExpFloat64()*float64(time.Millisecond/2))
	if !f.Lose {
		c.w.after(latency+f.Delay, arrive)
	}
	if f.Again > 0 {
		c.w.after(latency+f.Delay+f.Again, arrive)
	}
	if f.Lose || f.LoseAck {
		c.w.after(ackTimeout, func() { c.publish(subject, id, body) })
	}
}
