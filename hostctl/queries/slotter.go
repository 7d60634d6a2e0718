// Package queries asks the slotter for facts that the entries about one host do not contain.
//
//	slotter := queries.New(lookup)
//	answer, err := slotter.Outputs(ctx, job, stage)   // where the outputs of a stage are
//	err = slotter.EachKept(ctx, host, visit)          // the outputs of this host that are still read
//	wanted, err := slotter.Wanted(ctx, jobs)          // the jobs whose folders are still needed
//	attempts, err := slotter.Movable(ctx, host)       // the attempts of this host that another could run now
//
// It joins the pages of an answer. It does not repeat a question that failed.
package queries

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"lull/subjects"
)

// Service sends a question and returns the answer, both encoded: see subjects.Pool.Ask.
type Service interface {
	Ask(ctx context.Context, what string, body []byte) ([]byte, error)
}

// Slotter asks a pool's slotter. It is safe for concurrent use.
type Slotter struct{ service Service }

// New returns a Slotter that sends its questions by a service.
func New(s Service) Slotter { return Slotter{s} }

// query sends a question and reads the answer into a pointer.
func (s Slotter) query(ctx context.Context, what string, question, answer any) error {
	body, err := subjects.Marshal(question)
	if err != nil {
		return err
	}
	reply, err := s.service.Ask(ctx, what, body)
	if err != nil {
		return err
	}
	return subjects.Unmarshal(reply, answer)
}

// Outputs returns where the outputs of a stage are. Each page of the answer numbers its hosts
// from 0; the result numbers them from 0 once.
func (s Slotter) Outputs(ctx context.Context, job string, stage uint32) (*subjects.OutputsAnswer, error) {
	all := &subjects.OutputsAnswer{}
	for first := uint32(0); ; {
		page, err := s.outputsFrom(ctx, &subjects.OutputsAsk{Job: job, Stage: stage, First: first})
		if err != nil {
			return nil, fmt.Errorf("outputs of stage %d: %w", stage, err)
		}
		for _, o := range page.Outputs {
			o.Host += uint32(len(all.Hosts))
			all.Outputs = append(all.Outputs, o)
		}
		all.Hosts = append(all.Hosts, page.Hosts...)
		if page.Next <= first {
			return all, nil
		}
		first = page.Next
	}
}

// OutputOf returns where the output of one task is. The answer lists none if the task wrote no file.
func (s Slotter) OutputOf(ctx context.Context, job string, stage, task uint32) (*subjects.OutputsAnswer, error) {
	answer, err := s.outputsFrom(ctx, &subjects.OutputsAsk{Job: job, Stage: stage, First: task, Count: 1})
	if err != nil {
		return nil, fmt.Errorf("output of task %d of stage %d: %w", task, stage, err)
	}
	answer.Outputs = slices.DeleteFunc(answer.Outputs, func(o subjects.Output) bool { return o.Task != task })
	return answer, nil
}

func (s Slotter) outputsFrom(ctx context.Context, ask *subjects.OutputsAsk) (*subjects.OutputsAnswer, error) {
	var answer subjects.OutputsAnswer
	if err := s.query(ctx, subjects.AskOutputs, ask, &answer); err != nil {
		return nil, err
	}
	if answer.Error != "" {
		return nil, errors.New(answer.Error)
	}
	return &answer, nil
}

// ErrNotJoined says that the slotter has not read yet that the host joined.
var ErrNotJoined = errors.New("the slotter has not read yet that this host joined")

// EachKept calls visit with the outputs of a host that the slotter counts on, page by page. It fails
// with ErrNotJoined until the slotter knows the host.
func (s Slotter) EachKept(ctx context.Context, host string, visit func([]subjects.KeptOutput)) error {
	for ask := (subjects.KeptAsk{Host: host}); ; {
		var answer subjects.KeptAnswer
		if err := s.query(ctx, subjects.AskKept, &ask, &answer); err != nil {
			return err
		}
		switch {
		case answer.Unknown:
			return fmt.Errorf("%w: %s", ErrNotJoined, answer.Error)
		case answer.Error != "":
			return errors.New(answer.Error)
		}
		visit(answer.Outputs)
		if ask.From = answer.Next; ask.From == (subjects.KeptFrom{}) {
			return nil
		}
	}
}

// Wanted returns those of the jobs whose outputs, logs and checkpoints are still needed.
func (s Slotter) Wanted(ctx context.Context, jobs []string) ([]string, error) {
	var answer subjects.WantedAnswer
	err := s.query(ctx, subjects.AskWanted, &subjects.WantedAsk{Jobs: jobs}, &answer)
	return answer.Jobs, err
}

// Movable returns the attempts of a host that another host could run now. A slotter of an earlier
// release does not answer.
func (s Slotter) Movable(ctx context.Context, host string) ([]uint64, error) {
	var answer subjects.RoomAnswer
	if err := s.query(ctx, subjects.AskRoom, &subjects.RoomAsk{Host: host}, &answer); err != nil {
		return nil, err
	}
	if answer.Error != "" {
		return nil, errors.New(answer.Error)
	}
	return answer.Attempts, nil
}
