package queries

import (
	"context"
	"errors"
	"slices"
	"testing"

	"lull/subjects"
)

// service answers by a function that gets the decoded question.
type service func(what string, body []byte) (any, error)

func (s service) Ask(_ context.Context, what string, body []byte) ([]byte, error) {
	answer, err := s(what, body)
	if err != nil {
		return nil, err
	}
	return subjects.Marshal(answer)
}

// Each page of an answer numbers its hosts from 0.
func TestOutputsPutsPagesTogether(t *testing.T) {
	pages := map[uint32]subjects.OutputsAnswer{
		0: {Hosts: []subjects.OutputHost{{Host: "a"}, {Host: "b"}}, Outputs: []subjects.Output{{Task: 0, Host: 1}, {Task: 1, Host: 0}}, Next: 2},
		2: {Hosts: []subjects.OutputHost{{Host: "c"}}, Outputs: []subjects.Output{{Task: 2, Host: 0}}},
	}
	s := New(service(func(_ string, body []byte) (any, error) {
		var ask subjects.OutputsAsk
		err := subjects.Unmarshal(body, &ask)
		return pages[ask.First], err
	}))
	all, err := s.Outputs(t.Context(), "job", 0)
	if err != nil {
		t.Fatal(err)
	}
	var hosts []string
	for _, o := range all.Outputs {
		hosts = append(hosts, all.Hosts[o.Host].Host)
	}
	if !slices.Equal(hosts, []string{"b", "a", "c"}) {
		t.Errorf("outputs on %v, want b, a and c", hosts)
	}
}

// A slotter of an earlier release answers for all tasks from the first on.
func TestOutputOfOneTask(t *testing.T) {
	s := New(service(func(_ string, body []byte) (any, error) {
		var ask subjects.OutputsAsk
		if err := subjects.Unmarshal(body, &ask); err != nil || ask.First != 4 || ask.Count != 1 {
			t.Errorf("question = %+v (%v), want one task from 4 on", ask, err)
		}
		return subjects.OutputsAnswer{Hosts: []subjects.OutputHost{{Host: "a"}}, Outputs: []subjects.Output{{Task: 4}, {Task: 5}}}, nil
	}))
	got, err := s.OutputOf(t.Context(), "job", 0, 4)
	if err != nil || len(got.Outputs) != 1 || got.Outputs[0].Task != 4 {
		t.Errorf("OutputOf(task 4) = %+v, %v, want task 4 alone", got, err)
	}
}

func TestEachKeptVisitsAllPages(t *testing.T) {
	s := New(service(func(_ string, body []byte) (any, error) {
		var ask subjects.KeptAsk
		err := subjects.Unmarshal(body, &ask)
		if ask.From == (subjects.KeptFrom{}) {
			return subjects.KeptAnswer{Outputs: []subjects.KeptOutput{{Attempt: 1}, {Attempt: 2}}, Next: subjects.KeptFrom{Job: 1}}, err
		}
		return subjects.KeptAnswer{Outputs: []subjects.KeptOutput{{Attempt: 3}}}, err
	}))
	var attempts []uint64
	err := s.EachKept(t.Context(), "host", func(page []subjects.KeptOutput) {
		for _, o := range page {
			attempts = append(attempts, o.Attempt)
		}
	})
	if err != nil || !slices.Equal(attempts, []uint64{1, 2, 3}) {
		t.Errorf("visited %v (%v), want 1, 2 and 3", attempts, err)
	}
}

func TestAnErrorOfTheSlotterIsReturned(t *testing.T) {
	s := New(service(func(what string, _ []byte) (any, error) {
		if what == subjects.AskWanted {
			return nil, errors.New("no answer")
		}
		return subjects.KeptAnswer{Error: "not the leader"}, nil
	}))
	if err := s.EachKept(t.Context(), "host", nil); err == nil || err.Error() != "not the leader" {
		t.Errorf("EachKept() = %v, want not the leader", err)
	}
	if _, err := s.Wanted(t.Context(), []string{"job"}); err == nil {
		t.Error("wanted: no error")
	}
}
