// Package plainclient shows that lull's contract is its subjects: it drives a
// pool with nothing but a NATS client, and imports nothing of the project.
package plainclient

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"lull/test/binary"
	"lull/test/poll"
	"lull/test/taskuser"

	"github.com/nats-io/nats.go"
	"github.com/vmihailenco/msgpack/v5"
)

// patience bounds every wait. What takes seconds on a machine with other work
// to do takes milliseconds otherwise.
const patience = 150 * time.Second

var lull string // the binary

func TestMain(m *testing.M) {
	os.Exit(func() int {
		path, remove, err := binary.Lull()
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer remove()
		lull = path
		return m.Run()
	}())
}

// up starts `lull up` on a folder of its own and connects to it.
func up(t *testing.T) *nats.Conn {
	t.Helper()
	data := t.TempDir()
	var said bytes.Buffer
	cmd := exec.Command(lull, append([]string{"up", "--data", data, "--slots", "2", "--name", "plain"}, taskuser.Flags()...)...)
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		if err := cmd.Wait(); err != nil {
			t.Errorf("lull up = %v, want no error\n%s", err, said.String())
		}
	})
	nc := connect(t, filepath.Join(data, "endpoint"))
	t.Cleanup(nc.Close)
	return nc
}

// connect waits for the endpoint file, which is written whole.
func connect(t *testing.T, path string) *nats.Conn {
	t.Helper()
	var at struct{ URL, Token string }
	if !poll.Until(patience, 10*time.Millisecond, func() bool {
		body, err := os.ReadFile(path)
		return err == nil && json.Unmarshal(body, &at) == nil
	}) {
		t.Fatalf("lull up did not write its endpoint within %v", patience)
	}
	nc, err := nats.Connect(at.URL, nats.Token(at.Token))
	if err != nil {
		t.Fatal(err)
	}
	return nc
}

// life collects the messages of a job's subjects.
type life struct {
	t   *testing.T
	sub *nats.Subscription
}

func follow(t *testing.T, nc *nats.Conn) life {
	t.Helper()
	sub, err := nc.SubscribeSync("lull.default.>")
	if err == nil {
		err = nc.Flush()
	}
	if err != nil {
		t.Fatal(err)
	}
	return life{t, sub}
}

// until reads on to the job's end and returns the verbs of the job's events, and how often each
// verb came for its tasks.
func (l life) until(job, end string) (verbs []string, tasks map[string]int) {
	l.t.Helper()
	tasks = map[string]int{}
	ctx, cancel := poll.Chance(l.t.Context(), patience)
	defer cancel()
	for {
		m, err := l.sub.NextMsgWithContext(ctx)
		if err != nil {
			l.t.Fatalf("NextMsg() for job %s = %v within %v, want %s after %v and %v", job, err, patience, end, verbs, tasks)
		}
		switch s := strings.Split(m.Subject, "."); {
		case len(s) == 5 && s[2] == "job" && s[3] == job:
			verbs = append(verbs, s[4])
			if s[4] == end {
				return verbs, tasks
			}
		case len(s) == 6 && s[2] == "host" && s[5] == job:
			tasks[s[4]]++
		}
	}
}

type verdict struct {
	Job, Verdict, Code, Text string
}

// submit publishes a job as a request: the stream acknowledges, then admission
// answers.
func submit(t *testing.T, nc *nats.Conn, id string, body []byte) (v verdict) {
	t.Helper()
	var ack struct {
		Seq   uint64
		Error *struct{ Description string }
	}
	inbox := nats.NewInbox()
	replies, err := nc.SubscribeSync(inbox)
	if err != nil {
		t.Fatal(err)
	}
	defer replies.Unsubscribe() //nolint:errcheck // the test is over then
	m := nats.NewMsg("lull.default.submit")
	m.Reply, m.Data = inbox, body
	if id != "" {
		m.Header.Set("Nats-Msg-Id", id)
	}
	if err := nc.PublishMsg(m); err != nil {
		t.Fatal(err)
	}
	next(t, replies, &ack)
	if ack.Error != nil || ack.Seq == 0 {
		t.Fatalf("acknowledgement = %+v, want a sequence and no error", ack)
	}
	next(t, replies, &v)
	return v
}

func next(t *testing.T, sub *nats.Subscription, into any) {
	t.Helper()
	m, err := sub.NextMsg(patience)
	if err != nil {
		t.Fatalf("NextMsg() = %v within %v, want a reply", err, patience)
	}
	if err := json.Unmarshal(m.Data, into); err != nil {
		t.Fatalf("json.Unmarshal(%q) = %v, want no error", m.Data, err)
	}
}

func hello(tasks int) map[string]any {
	return map[string]any{
		"name":   "hello",
		"stages": []any{map[string]any{"name": "say", "command": []string{"echo", "hello"}, "tasks": tasks}},
	}
}

func TestAJobIsOneMessage(t *testing.T) {
	nc := up(t)
	for name, encode := range map[string]func(any) ([]byte, error){"json": json.Marshal, "msgpack": msgpack.Marshal} {
		t.Run(name, func(t *testing.T) {
			body, err := encode(hello(3))
			if err != nil {
				t.Fatal(err)
			}
			events := follow(t, nc)
			v := submit(t, nc, "", body)
			if v.Verdict != "admitted" || v.Job == "" {
				t.Fatalf("verdict = %+v, want admitted", v)
			}
			verbs, tasks := events.until(v.Job, "finished")
			if got, want := strings.Join(verbs, " "), "submitted admitted finished"; got != want {
				t.Errorf("events of the job = %s, want %s", got, want)
			}
			if tasks["assigned"] < 3 || tasks["finished"] != 3 {
				t.Errorf("events of its tasks = %v, want at least 3 assigned and 3 finished", tasks)
			}
		})
	}
}

// The sender of a job that is tried hears so at once, and its verdict once some of its tasks have run.
func TestATrialIsAnsweredBeforeItsVerdict(t *testing.T) {
	nc := up(t)
	body, err := json.Marshal(hello(1))
	if err != nil {
		t.Fatal(err)
	}
	events := follow(t, nc)
	events.until(submit(t, nc, "", body).Job, "finished") // all services are up
	job := hello(8)
	job["name"], job["deadline"] = "new", "1h"
	if body, err = json.Marshal(job); err != nil {
		t.Fatal(err)
	}
	answers := send(t, nc, "ann", "night-42", body)
	var ack struct{ Stream string }
	var trying, last verdict
	next(t, answers, &ack)
	next(t, answers, &trying)
	next(t, answers, &last)
	if trying.Verdict != "trying" || trying.Text == "" || last.Verdict != "admitted" || last.Job != trying.Job {
		t.Errorf("answers = %+v, %+v, want trying and then admitted", trying, last)
	}
}

func TestARepeatIsTheSameJob(t *testing.T) {
	nc := up(t)
	body, err := json.Marshal(hello(1))
	if err != nil {
		t.Fatal(err)
	}
	events := follow(t, nc)
	first := submit(t, nc, "night-42", body)
	events.until(first.Job, "finished")
	second := submit(t, nc, "night-42", body)
	if second.Job != first.Job {
		t.Errorf("job of the repeat = %s, want %s, as at first", second.Job, first.Job)
	}
	third := submit(t, nc, "night-43", body)
	if third.Job == first.Job {
		t.Errorf("job of another message id = %s, want another job", third.Job)
	}
	verbs, _ := events.until(third.Job, "finished")
	if got, want := strings.Join(verbs, " "), "submitted admitted finished"; got != want {
		t.Errorf("events of the third job = %s, want %s", got, want)
	}
}

// Two users send one id at the same moment, and the server keeps one of the messages. Each
// user gets the verdict on its own job, or that its message was not kept.
func TestAnIDIsItsSubmitters(t *testing.T) {
	nc := up(t)
	body, err := json.Marshal(hello(1))
	if err != nil {
		t.Fatal(err)
	}
	jobs := map[string]string{}
	for len(jobs) < 2 {
		waits := map[string]*nats.Subscription{}
		for _, client := range []string{"ann", "bob"} {
			if jobs[client] == "" {
				waits[client] = send(t, nc, client, "night-42", body)
			}
		}
		for client, sub := range waits {
			var ack struct{ Stream string }
			var v verdict
			next(t, sub, &ack)
			next(t, sub, &v)
			switch {
			case v.Verdict == "admitted":
				jobs[client] = v.Job
			case v.Verdict != "refused" || v.Code != "not-kept":
				t.Fatalf("verdict for %s = %+v, want admitted, or refused as not-kept", client, v)
			}
		}
	}
	if jobs["ann"] == jobs["bob"] {
		t.Errorf("job of ann and of bob = %s, want one for each", jobs["ann"])
	}
}

// send submits a job in a claimed name, and returns the subscription to its answers.
func send(t *testing.T, nc *nats.Conn, client, id string, body []byte) *nats.Subscription {
	t.Helper()
	sub, err := nc.SubscribeSync(nats.NewInbox())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = sub.Unsubscribe() })
	m := &nats.Msg{Subject: "lull.default.submit", Reply: sub.Subject, Data: body, Header: nats.Header{
		"Nats-Msg-Id": {id}, "Lull-Client": {client},
	}}
	if err := nc.PublishMsg(m); err != nil {
		t.Fatal(err)
	}
	return sub
}

// Another document comes under the id of an admitted job, after the server has forgotten the id and
// before the job's second stage begins. The sender's verdict is that it is a duplicate, the log
// gets no entry, and the host runs the document that was accepted.
func TestAnotherDocumentIsADuplicate(t *testing.T) {
	nc := up(t)
	folder := t.TempDir()
	gate, output := filepath.Join(folder, "gate"), filepath.Join(folder, "out")
	document := func(word string) []byte {
		return fmt.Appendf(nil, `{"name":"one","output":%q,"stages":[
			{"name":"wait","command":"until [ -e %s ]; do sleep 0.05; done","tasks":1},
			{"name":"say","from":[{"stage":"wait"}],"command":"echo %s > $LULL_OUT/word","tasks":1}]}`, output, gate, word)
	}
	events := follow(t, nc)
	first := submit(t, nc, "night-42", document("first"))
	if first.Verdict != "admitted" {
		t.Fatalf("verdict on the first document = %+v, want admitted", first)
	}
	var second verdict
	for second.Code == "" || second.Code == "not-kept" { // until the server has forgotten the id
		second = submit(t, nc, "night-42", document("second"))
	}
	if second.Verdict != "rejected" || second.Code != "duplicate" {
		t.Fatalf("verdict on the second document = %+v, want rejected as a duplicate", second)
	}
	if again := submit(t, nc, "night-42", document("first")); again.Job != first.Job || again.Verdict != "admitted" {
		t.Errorf("verdict on the first document again = %+v, want %+v", again, first)
	}
	if err := os.WriteFile(gate, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if verbs, _ := events.until(first.Job, "finished"); len(verbs) != 3 {
		t.Errorf("events of the job = %v, want 3", verbs)
	}
	if word, err := os.ReadFile(filepath.Join(output, "say", "00000", "word")); err != nil || string(word) != "first\n" {
		t.Errorf("word = %q, %v, want that of the first document", word, err)
	}
}

func TestARejectionSaysWhy(t *testing.T) {
	nc := up(t)
	for _, c := range []struct{ name, body, text string }{
		{"unknown field", `{"name":"x","stages":[{"name":"a","comand":["true"],"tasks":1}]}`, "comand"},
		{"no tasks", `{"name":"x","stages":[{"name":"a","command":["true"],"tasks":0}]}`, "tasks"},
		{"not a document", `{{{`, ""},
	} {
		v := submit(t, nc, "", []byte(c.body))
		if v.Verdict != "rejected" || v.Code != "invalid" || v.Text == "" || !strings.Contains(v.Text, c.text) {
			t.Errorf("verdict on %s = %+v, want rejected as invalid, with a text that contains %q", c.name, v, c.text)
		}
	}
}

func TestACancelIsOneMessage(t *testing.T) {
	nc := up(t)
	body := []byte(`{"name":"long","stages":[{"name":"wait","command":["sleep","600"],"tasks":2}]}`)
	events := follow(t, nc)
	v := submit(t, nc, "", body)
	for {
		m, err := events.sub.NextMsg(patience)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(m.Subject, ".assigned."+v.Job) {
			break
		}
	}
	ctx, cancel := poll.Chance(t.Context(), patience)
	defer cancel()
	request := []byte(`{"job":"` + v.Job + `","who":"a test"}`)
	if _, err := nc.RequestWithContext(ctx, "lull.default.request.cancel", request); err != nil {
		t.Fatal(err)
	}
	events.until(v.Job, "cancelled")
}
