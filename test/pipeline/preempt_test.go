package pipeline

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lull/actors"
	"lull/client"
	"lull/cmd/lull/serve/local"
	"lull/slotter"
	"lull/subjects"
	"lull/subjects/ledger"
)

// waiting returns a job of tasks that run until the file gate exists. It has no retries, so it would fail if
// the loss of an attempt counted as a failure.
func waiting(queue string, tasks int, gate string) string {
	return fmt.Sprintf(`
name: %s
queue: %s
stages:
  - {name: a, tasks: %d, retries: 0, command: 'while [ ! -e %s ]; do sleep 0.02; done'}
`, queue, queue, tasks, gate)
}

// reads returns such a job of one task. By its estimate the task reads its input faster than any capacity
// allows.
func reads(queue, gate string) string {
	return fmt.Sprintf(`
name: %s
queue: %s
stages:
  - {name: a, inputs: [words.txt], estimate: 1ms, command: 'while [ ! -e %s ]; do sleep 0.02; done'}
`, queue, queue, gate)
}

// attempts waits until are returns true for exactly want of a job's attempts.
func attempts(t *testing.T, c *client.Client, job string, want int, are func(*ledger.Attempt) bool) {
	t.Helper()
	reaches(t, c, fmt.Sprintf("%d attempts of job %s", want, job), func(s *ledger.State) bool { return count(s, job, are) == want })
}

func count(s *ledger.State, job string, are func(*ledger.Attempt) bool) (n int) {
	for _, h := range s.Hosts() {
		for _, at := range h.Attempts() {
			if at.Job.ID == job && are(at) {
				n++
			}
		}
	}
	return n
}

func runs(at *ledger.Attempt) bool { return at.State == ledger.Running }

// A queue fills every slot with tasks that would never end. When jobs of another queue have waited
// for its share, the first queue's tasks make way and run again later. The log names the claimant.
func TestBorrowersAreKilledAfterAWhile(t *testing.T) {
	const after = 500 * time.Millisecond
	_, c := start(t, local.Config{Policy: "fifo", Slotter: slotter.Config{Preempt: slotter.PreemptKill, PreemptAfter: after}})
	folder := t.TempDir()
	gate := filepath.Join(folder, "open")
	night := submit(t, c, ".", waiting("night", 4, gate))
	attempts(t, c, night, 2, runs)
	days := []string{submit(t, c, ".", waiting("day", 1, "/")), submit(t, c, ".", waiting("day", 1, "/"))}
	for _, day := range days {
		finished(t, c, day)
	}
	write(t, gate, "")
	if j := finished(t, c, night); j.Totals.Tasks != 4 || j.Totals.Failed != 0 || j.Totals.Evicted == 0 {
		t.Errorf("totals = %+v, want 4 tasks, some evicted and none failed", j.Totals)
	}
	checkMadeWay(t, c, night, days, after)
}

// checkMadeWay follows a job's attempts from their revocation to the end of their tasks.
func checkMadeWay(t *testing.T, c *client.Client, job string, claimants []string, after time.Duration) {
	t.Helper()
	came := admitted(t, c, claimants)
	words, waits := map[uint64]bool{}, map[subjects.TaskID]bool{}
	for _, entry := range history(t, c, job) {
		switch e := entry.Event.(type) {
		case *subjects.Revoked:
			want := fmt.Sprintf("queue day holds fewer slots than its share, and job %s waited ", e.For)
			if at, ok := came[e.For]; !ok || !strings.HasPrefix(e.Why, want) || entry.Time.Sub(at) < after {
				t.Errorf("revoked %v after the claim = %+v, want at least %v, with the reason %q", entry.Time.Sub(at), e, after, want)
			}
			words[e.Attempt] = true
		case *subjects.Evicted:
			if words[e.Attempt] != (e.Reason == subjects.ReasonPreempted) {
				t.Errorf("evicted = %+v, want the reason %s only for revoked attempts; revoked: %v", e, subjects.ReasonPreempted, words[e.Attempt])
			}
			waits[e.TaskID] = true
		case *subjects.Finished:
			delete(waits, e.TaskID)
		}
	}
	if len(words) == 0 || len(waits) > 0 {
		t.Errorf("attempts that made way = %d, tasks of them that did not finish = %v, want some and none", len(words), waits)
	}
}

// admitted returns when each job was admitted.
func admitted(t *testing.T, c *client.Client, jobs []string) map[string]time.Time {
	t.Helper()
	at := map[string]time.Time{}
	for _, job := range jobs {
		for _, entry := range history(t, c, job) {
			if _, ok := entry.Event.(*subjects.Admitted); ok {
				at[job] = entry.Time
			}
		}
	}
	return at
}

func history(t *testing.T, c *client.Client, job string) []actors.Entry {
	t.Helper()
	all, err := c.History(t.Context(), job)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// A task that has all of the pool's capacity is slowed to its share when one of another queue
// comes, and runs freely again when that has ended. No task is killed for it.
func TestBorrowersAreSlowed(t *testing.T) {
	_, c := start(t, local.Config{Policy: "fifo", Slotter: slotter.Config{Pace: slotter.PaceOn, Capacity: 1000, PreemptAfter: time.Millisecond}})
	folder := t.TempDir()
	write(t, filepath.Join(folder, "words.txt"), strings.Repeat("ten bytes\n", 1000))
	paced := func(at *ledger.Attempt) bool { return runs(at) && at.Rate() > 0 }
	gates := map[string]string{}
	jobs := map[string]string{}
	for _, queue := range []string{"night", "day"} {
		gates[queue] = filepath.Join(folder, queue)
		jobs[queue] = submit(t, c, folder, reads(queue, gates[queue]))
		attempts(t, c, jobs[queue], 1, runs)
	}
	attempts(t, c, jobs["night"], 1, paced)
	write(t, gates["day"], "")
	finished(t, c, jobs["day"])
	attempts(t, c, jobs["night"], 0, paced)
	write(t, gates["night"], "")
	if j := finished(t, c, jobs["night"]); j.Totals.Attempts != 1 {
		t.Errorf("totals = %+v, want one attempt", j.Totals)
	}
	checkSlowed(t, c, jobs["night"], jobs["day"])
}

// checkSlowed expects that a job was held to half of the capacity for the sake of another one.
func checkSlowed(t *testing.T, c *client.Client, job, sake string) {
	t.Helper()
	for _, entry := range history(t, c, job) {
		e, ok := entry.Event.(*subjects.Paced)
		if ok && len(e.Rates) == 1 && e.Rates[0].Rate == 500 && len(e.For) == 1 && e.For[0] == sake {
			return
		}
	}
	t.Errorf("no event paces job %s to 500 bytes/s for job %s, want one", job, sake)
}
