package pipeline

import (
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"testing"

	"lull/client"
	"lull/subjects"
	"lull/subjects/ledger"
)

// When the open jobs fill memory, new ones wait in the inbox. A cancel after them in the
// inbox is still answered, and once the open jobs have ended, the new ones are accepted.
func TestACancelPassesWorkThatWaitsForMemory(t *testing.T) {
	t.Parallel()
	f := newFleet(t)
	f.service("admission", "admission", "--memory", "320MiB")
	f.agent("host") // no slotter: jobs are admitted and stay
	c := f.client()
	f.hosts(c, 1)
	var stages []string
	for i := range 8 {
		stages = append(stages, fmt.Sprintf(`{"name":"s%d","command":["true","%s"],"tasks":1}`, i, random(90_000)))
	}
	large := `{"name":"large","stages":[` + strings.Join(stages, ",") + `]}`
	var jobs []string
	doc := parsed(t, large) // once: it takes longer than what is tested
	for range 240 {         // five sixths of them fill memory
		job, err := c.Submit(t.Context(), doc, client.NewID())
		if err != nil {
			t.Fatal(err)
		}
		jobs = append(jobs, job)
	}
	waits := submit(t, c, ".", `{"name":"small","stages":[{"name":"a","command":"true","tasks":1}]}`)
	f.eventually("full memory", func() bool {
		answer, err := c.AskJobs(t.Context(), subjects.JobsAsk{Limit: 1})
		return err == nil && answer.Memory.Full
	})
	cancel := func(job string) {
		if _, err := c.Cancel(t.Context(), client.Request{Job: job}); err != nil && !errors.Is(err, client.ErrNoVerdict) {
			t.Fatal(err)
		}
	}
	cancel(jobs[0])
	reaches(t, c, "the first cancel", func(s *ledger.State) bool { return s.Job(jobs[0]).Phase == ledger.Cancelled })
	for _, job := range jobs[1:] {
		cancel(job)
	}
	reaches(t, c, "the job that waited", func(s *ledger.State) bool {
		j := s.Job(waits)
		return j != nil && j.Phase == ledger.Admitted
	})
}

// random is a text of about n bytes that cannot be compressed.
func random(n int) string {
	var text strings.Builder
	for text.Len() < n {
		text.WriteString(rand.Text())
	}
	return text.String()
}
