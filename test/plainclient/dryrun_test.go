package plainclient

import (
	"encoding/json"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/vmihailenco/msgpack/v5"
)

// forecast is what a dry run answers.
type forecast struct {
	Verdict, Code, Text, Finish, Deadline, Earliest, Mode string
	Stages                                                []struct {
		Stage, Model, Source string
		Tasks                int
	}
}

func ask(t *testing.T, nc *nats.Conn, body []byte) (f forecast) {
	t.Helper()
	m, err := nc.Request("lull.default.ask.admission", body, patience)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(m.Data, &f); err != nil {
		t.Fatalf("json.Unmarshal(%q) = %v, want no error", m.Data, err)
	}
	return f
}

func TestADryRunIsOneRequest(t *testing.T) {
	nc := up(t)
	v := submit(t, nc, "", []byte(`{"name":"first","stages":[{"name":"a","command":["true"],"tasks":1}]}`))
	events := follow(t, nc)
	for name, encode := range map[string]func(any) ([]byte, error){"json": json.Marshal, "msgpack": msgpack.Marshal} {
		body, err := encode(hello(3))
		if err != nil {
			t.Fatal(err)
		}
		f := ask(t, nc, body)
		if f.Verdict != "admitted" || f.Mode != "affected" || len(f.Stages) != 1 || f.Stages[0].Tasks != 3 || f.Stages[0].Source != "default" {
			t.Errorf("forecast of hello(3) as %s = %+v, want admitted, mode affected, one stage of 3 tasks from the default", name, f)
		}
	}
	for body, code := range map[string]string{
		`{{{`: "invalid",
		`{"name":"x","deadline":"2020-01-01T00:00:00Z","stages":[{"name":"a","command":["true"],"tasks":1}]}`: "deadline-past",
	} {
		if f := ask(t, nc, []byte(body)); f.Verdict != "rejected" || f.Code != code || f.Text == "" {
			t.Errorf("forecast of %s = %+v, want rejected as %s, with a text", body, f, code)
		}
	}
	// The next job in the log is the next that is submitted.
	last := submit(t, nc, "", []byte(`{"name":"last","stages":[{"name":"a","command":["true"],"tasks":1}]}`))
	verbs, _ := events.until(last.Job, "finished")
	if len(verbs) != 3 || last.Job == v.Job {
		t.Errorf("events of job %s = %v, want 3, and another job than %s", last.Job, verbs, v.Job)
	}
}
