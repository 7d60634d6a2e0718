package hostctl

import (
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"lull/hostctl/hostctltest"
	"lull/subjects"
	"lull/subjects/spec"
)

// answer is what the slotter says of a stage's outputs, from the same ledger.
func (w *world) answer(ask subjects.OutputsAsk) subjects.OutputsAnswer {
	var a subjects.OutputsAnswer
	for kept := range w.Ledger.Outputs(w.Ledger.Job(ask.Job), int(ask.Stage)) {
		a.Outputs = append(a.Outputs, subjects.Output{
			Task: kept.Task, Attempt: kept.Attempt, Host: uint32(len(a.Hosts)), Manifest: kept.Manifest,
		})
		j := kept.Host.Joined
		a.Hosts = append(a.Hosts, subjects.OutputHost{Host: kept.Host.Name, URL: j.URL, Rack: "east"})
	}
	return a
}

// mapReduce runs a map task on alpha and one on beta, and returns the first.
func mapReduce(w *world, alpha, beta *host) (first uint64) {
	w.Outputs = w.answer
	w.Submit("job",
		spec.Stage{Name: "map", Tasks: 2, Partitions: 2, Argv: sh(`for p in 0 1; do echo task $LULL_TASK part $p > $LULL_OUT/part-$p; done`)},
		spec.Stage{Name: "reduce", Tasks: 2, From: []spec.From{{Stage: 0, Partition: true}},
			Argv: sh(`cat > $LULL_OUT/stdin; cd $LULL_INPUT; find . -type f | sort > $LULL_OUT/files`)})
	first = alpha.assign("job", 0, 0, 0)
	next[*subjects.Finished](w, nil)
	beta.assign("job", 0, 1, 0)
	next[*subjects.Finished](w, nil)
	return first
}

func TestPartitionsAreFetchedFromTheirHosts(t *testing.T) {
	w := newWorld(t)
	alpha, beta := w.host(w.config("alpha")), w.host(w.config("beta"))
	mapReduce(w, alpha, beta)
	id := beta.assign("job", 1, 1, 1)
	end, _ := next[*subjects.Finished](w, nil)
	if end.Copied() != int64(len("task 0 part 1\n")) || len(end.Fetched) != 1 || end.Fetched[0].Rack != "east" || !(end.Fetching > 0 && end.Fetched[0].Seconds > 0) {
		t.Errorf("fetched = %+v, want task 0's part from rack east alone", end.Fetch)
	}
	f, _ := beta.store.Find(id)
	if got := read(t, f.Out()+"/stdin"); got != "task 0 part 1\ntask 1 part 1\n" {
		t.Errorf("stdin = %q, want part 1 of both tasks", got)
	}
	if got := read(t, f.Out()+"/files"); got != "./map/00000/part-1\n./map/00001/part-1\n" {
		t.Errorf("input folder = %q, want part 1 of both tasks", got)
	}
}

// The files that many tasks of one host wrote for a partition arrive in few requests, and in
// the tasks' order.
func TestManySmallPartsAreFetched(t *testing.T) {
	w := newWorld(t)
	w.Outputs = w.answer
	alpha, beta := w.host(w.config("alpha")), w.host(w.config("beta"))
	w.Submit("job",
		spec.Stage{Name: "map", Tasks: 5, Partitions: 2, Argv: sh(`mkdir $LULL_OUT/d; for p in 0 1; do echo $LULL_TASK $p > $LULL_OUT/part-$p; done`)},
		spec.Stage{Name: "reduce", Tasks: 2, From: []spec.From{{Stage: 0, Partition: true}}, Argv: sh(`cat > $LULL_OUT/stdin`)})
	for task := range uint32(5) {
		alpha.assign("job", 0, task, 0)
		next[*subjects.Finished](w, nil)
	}
	id := beta.assign("job", 1, 1, 0)
	next[*subjects.Finished](w, nil)
	f, _ := beta.store.Find(id)
	if got := read(t, f.Out()+"/stdin"); got != "0 1\n1 1\n2 1\n3 1\n4 1\n" {
		t.Errorf("stdin = %q, want part 1 of five tasks", got)
	}
}

func TestDamagedOutputIsNoticed(t *testing.T) {
	w := newWorld(t)
	alpha, beta := w.host(w.config("alpha")), w.host(w.config("beta"))
	id := mapReduce(w, alpha, beta)
	f, _ := alpha.store.Find(id)
	path := f.Out() + "/part-0"
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	write(t, path, "TASK 0 part 0\n")
	beta.assign("job", 1, 0, 1)
	e, _ := next[*subjects.Declined](w, nil)
	if e.Reason != subjects.ReasonTransport || !strings.Contains(e.Text, "alpha") || !strings.Contains(e.Text, "part-0") {
		t.Errorf("Declined = %+v, want the host and the file named", e)
	}
}

func TestOutputsAreServedToThoseWithATicket(t *testing.T) {
	w := newWorld(t)
	h := w.host(w.config("alpha"))
	w.Submit("job", spec.Stage{Argv: sh("printf 0123456789 > $LULL_OUT/digits; echo said; echo error >&2")})
	id := h.assign("job", 0, 0, 0)
	next[*subjects.Finished](w, nil)
	joined := w.Ledger.Host("alpha").Joined
	if joined.Token != "" {
		t.Errorf("token in the log = %q, want none", joined.Token)
	}
	ticket, err := hostctltest.AskTicket(t.Context(), w.Bus, w.Bus.Pool().Ticket("alpha"))
	if err != nil {
		t.Fatal(err)
	}
	base := joined.URL + "/v1/attempts/" + uintText(id)
	for _, c := range []struct {
		url, token, ranged string
		status             int
		body               string
	}{
		{base + "/files/digits", ticket.Ticket, "", 200, "0123456789"},
		{base + "/files/digits", ticket.Ticket, "bytes=4-6", 206, "456"},
		{base + "/files/digits", "guess", "", 401, ""},
		{base + "/files/digits", "", "", 401, ""},
		{base + "/files/none", ticket.Ticket, "", 404, ""},
		{joined.URL + "/v1/parts/digits?attempts=" + uintText(id) + ",999,x," + uintText(id), ticket.Ticket, "", 200,
			"\x00\x00\x00\x00\x00\x00\x00\x0b0123456789" + strings.Repeat("\x00", 16) + "\x00\x00\x00\x00\x00\x00\x00\x0b0123456789"},
		{joined.URL + "/v1/parts/digits?attempts=1", "guess", "", 401, ""},
		{base + "/files/..%2f..%2fstdout", ticket.Ticket, "", 404, ""},
		{base + "/stdout", ticket.Ticket, "", 200, "said\n"},
		{base + "/stderr?follow=1", ticket.Ticket, "", 200, "error\n"},
		{base + "/other", ticket.Ticket, "", 404, ""},
		{joined.URL + "/v1/attempts/999/manifest", ticket.Ticket, "", 404, ""},
		{joined.URL + "/v1/tasks/job/0/0/stdout", ticket.Ticket, "", 200, "said\n"},
		{joined.URL + "/v1/tasks/..%2f..%2f/0/0/stdout", ticket.Ticket, "", 400, ""},
	} {
		status, body := get(t, c.url, c.token, c.ranged)
		if status != c.status || c.body != "" && body != c.body {
			t.Errorf("GET %s (range %q): %d %q, want %d %q", c.url, c.ranged, status, body, c.status, c.body)
		}
	}
}

func TestLogsAreFollowed(t *testing.T) {
	w := newWorld(t)
	h := w.host(w.config("alpha"))
	flag := t.TempDir() + "/go"
	w.Submit("job", spec.Stage{Argv: sh("echo begins; until [ -e " + flag + " ]; do sleep 0.01; done; echo ends")})
	id := h.assign("job", 0, 0, 0)
	next[*subjects.Started](w, nil)
	joined := w.Ledger.Host("alpha").Joined
	if joined.Token != "" {
		t.Errorf("token in the log = %q, want none", joined.Token)
	}
	ticket, err := hostctltest.AskTicket(t.Context(), w.Bus, w.Bus.Pool().Ticket("alpha"))
	if err != nil {
		t.Fatal(err)
	}
	url := joined.URL + "/v1/attempts/" + uintText(id) + "/stdout"
	eventually(t, "the log is readable while the task runs", func() bool {
		_, body := get(t, url, ticket.Ticket, "")
		return body == "begins\n"
	})
	go func() { _ = os.WriteFile(flag, nil, 0o644) }()
	if _, body := get(t, url+"?follow=1", ticket.Ticket, ""); body != "begins\nends\n" {
		t.Errorf("followed log = %q, want begins and ends", body)
	}
}

func get(t *testing.T, url, token, ranged string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+token)
	if ranged != "" {
		req.Header.Set("Range", ranged)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close() //nolint:errcheck // read only
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(b)
}

func TestResultsArePublished(t *testing.T) {
	w := newWorld(t)
	h := w.host(w.config("alpha"))
	w.Outputs = w.answer
	output := t.TempDir() + "/results"
	publishJob := func(job, script string) {
		w.SubmitTo(job, output,
			spec.Stage{Name: "count", Argv: sh(script)},
			spec.Stage{Name: "publish", Publish: true, From: []spec.From{{Stage: 0}}})
		h.assign(job, 0, 0, 0)
		next[*subjects.Finished](w, nil)
		h.assign(job, 1, 0, 1)
	}
	publishJob("one", "mkdir $LULL_OUT/d; echo 1 > $LULL_OUT/d/a; echo 1 > $LULL_OUT/gone")
	next[*subjects.Finished](w, nil)
	if got := read(t, output+"/count/00000/d/a"); got != "1\n" {
		t.Errorf("published = %q, want 1", got)
	}
	publishJob("two", "mkdir $LULL_OUT/d; echo 2 > $LULL_OUT/d/a")
	next[*subjects.Finished](w, nil)
	if got := read(t, output+"/count/00000/d/a") + read(t, output+"/count/.lull"); got != "2\ntwo\n" {
		t.Errorf("published by the second run = %q, want 2 and two", got)
	}
	if got := tree(t, output+"/count"); len(got) != 5 {
		t.Errorf("files of the second run = %v, want five", got)
	}
	if got := read(t, output+"/count.previous/00000/gone"); got != "1\n" {
		t.Errorf("results of the first run = %q, want 1", got)
	}
	if err := os.Remove(output + "/count/.lull"); err != nil {
		t.Fatal(err)
	}
	publishJob("three", "echo 3 > $LULL_OUT/a")
	e, _ := next[*subjects.Failed](w, nil)
	if e.Reason != subjects.ReasonOutput || !strings.Contains(e.Text, output+"/count") {
		t.Errorf("Failed = %+v, want the folder in the way named", e)
	}
}

func TestUnwantedJobsAreSwept(t *testing.T) {
	w := newWorld(t)
	h := w.host(w.config("alpha"))
	ids := map[string]uint64{}
	for _, job := range []string{"kept", "old", "runs"} {
		script := "echo x > $LULL_OUT/x"
		if job == "runs" {
			script = "sleep 60"
		}
		w.Submit(job, spec.Stage{Argv: sh(script)})
		ids[job] = h.assign(job, 0, 0, 0)
		if job != "runs" {
			next[*subjects.Finished](w, nil)
		}
	}
	next[*subjects.Started](w, nil)
	w.Wanted = []string{"kept"}
	if err := h.kept.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	jobs, err := h.store.Jobs()
	if err != nil || strings.Join(jobs, " ") != "kept runs" {
		t.Errorf("jobs %v are left (%v), want kept and runs", jobs, err)
	}
	if _, ok := h.store.Find(ids["old"]); ok {
		t.Errorf("Find(%d) = true after it was swept, want false", ids["old"])
	}
}

func TestReserveEvictsTheYoungest(t *testing.T) {
	w := newWorld(t)
	cfg := w.config("alpha")
	usage := make(chan *subjects.Usage)
	cfg.Usage, cfg.ReserveMemory = usage, 1<<30
	h := w.host(cfg)
	w.Submit("job", spec.Stage{Argv: sh("sleep 60"), Tasks: 2})
	h.assign("job", 0, 0, 0)
	next[*subjects.Started](w, nil)
	young := h.assign("job", 0, 1, 1)
	next[*subjects.Started](w, nil)
	usage <- &subjects.Usage{Host: "alpha", At: time.Now().UnixNano(), Cores: 2, Idle: 1.5, MemoryFree: 1 << 29}
	if e, _ := next[*subjects.Evicted](w, nil); e.Attempt != young || e.Reason != subjects.ReasonReserve {
		t.Errorf("Evicted = %+v, want attempt %d for the reserve", e, young)
	}
}
