package page

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"lull/subjects"
	"lull/subjects/ledger"
)

const (
	// pageJobs and pageBytes bound one answer: a message holds a mebibyte.
	pageJobs  = 1000
	pageBytes = 512 << 10
	// pageLooks bounds the jobs that one answer looks at, to some milliseconds.
	// The client asks again for the rest.
	pageLooks = 50_000
	// pageName and pageStates bound the filter that each job is compared with: any
	// client may ask, and admission decides nothing meanwhile.
	pageName   = 256
	pageStates = 32
)

// Jobs answers a question for jobs, the newest first.
func Jobs(s *ledger.State, ask *subjects.JobsAsk) *subjects.JobsAnswer {
	answer := &subjects.JobsAnswer{Known: uint32(s.Jobs().Len())}
	if err := checkAsk(ask); err != nil {
		answer.Error = err.Error()
		return answer
	}
	if ask.Whole {
		if j := s.Job(ask.Job); j != nil {
			answer.Jobs = append(answer.Jobs, jobLine(s, j))
		}
		return answer
	}
	most := pageJobs
	if ask.Limit > 0 {
		most = min(int(ask.Limit), pageJobs)
	}
	before, looks, bytes := s.Jobs().Len(), 0, 0
	if ask.Before != 0 {
		before = s.Jobs().Before(func(j *ledger.Job) bool { return j.Seq >= ask.Before })
	}
	for j := range s.Jobs().BackwardFrom(before) {
		if looks == pageLooks || len(answer.Jobs) == most || bytes > pageBytes {
			answer.Next = j.Seq + 1
			return answer
		}
		if looks++; asked(j, ask) {
			answer.Jobs = append(answer.Jobs, jobLine(s, j))
			bytes += jobBytes(&answer.Jobs[len(answer.Jobs)-1])
		}
	}
	return answer
}

func checkAsk(ask *subjects.JobsAsk) error {
	if len(ask.Name) > pageName {
		return fmt.Errorf("the name has %d bytes, at most %d are allowed", len(ask.Name), pageName)
	}
	if len(ask.States) > pageStates {
		return fmt.Errorf("there are %d states, at most %d are allowed", len(ask.States), pageStates)
	}
	if _, err := path.Match(ask.Name, ""); err != nil {
		return fmt.Errorf("name %q: %w", ask.Name, err)
	}
	return nil
}

func jobBytes(l *subjects.JobLine) int {
	return 256 + len(l.Job) + len(l.Name) + len(l.Type) + len(l.Queue) + len(l.User) + len(l.Client) + len(l.Text) + len(l.Output)
}

// asked reports whether the question asks for the job.
func asked(j *ledger.Job, ask *subjects.JobsAsk) bool {
	if !strings.HasPrefix(j.ID, ask.Job) {
		return false
	}
	if j.Submitted < ask.Since {
		return false
	}
	if ask.Queue != "" && ask.Queue != j.Shape.Share() {
		return false
	}
	if len(ask.States) > 0 && !slices.Contains(ask.States, j.Phase.String()) &&
		(j.Phase.Ended() || !slices.Contains(ask.States, subjects.OpenJobs)) {
		return false
	}
	match, _ := path.Match(ask.Name, j.Name)
	return ask.Name == "" || match
}

// jobLine is the job as lists show it.
func jobLine(s *ledger.State, j *ledger.Job) subjects.JobLine {
	line := subjects.JobLine{
		Job: j.ID, Seq: j.Seq, Name: j.Name, State: j.Phase.String(), Type: j.Shape.Type, Queue: j.Shape.Queue,
		User: j.User, Client: j.Client, Running: uint32(j.Held()), Totals: j.Totals, Lost: j.Lost,
		Submitted: j.Submitted, Ended: j.Ended, Deadline: j.Deadline, Finish: j.Finish, Slack: j.Slack,
		Endangered: j.Endangered && !j.Phase.Ended(), Late: j.Late, Earliest: j.Earliest, Code: j.Code, Text: j.Text, Output: j.Spec().Output,
	}
	for i, st := range j.Stages {
		line.Done += uint32(st.Done)
		line.Cancelled += uint32(st.Dropped)
		if j.Phase == ledger.Finished && !st.Complete() && j.StageState(i) == ledger.StageSkipped {
			line.Done += uint32(st.Len() - st.Done) // there was nothing to do
		}
	}
	if line.Finish != 0 && !j.Phase.Ended() {
		line.Guessed = guessed(s, j)
	}
	if j.Phase == ledger.Finished && j.Stages == nil {
		line.Done = j.Totals.Tasks // only a summary is left
	}
	return line
}

// guessed reports whether nothing is known of how long the tasks of one of the job's stages take.
func guessed(s *ledger.State, j *ledger.Job) bool {
	for i, st := range j.Stages {
		shape := &j.Shape.Stages[i]
		if st.Done == 0 && shape.RunsOnSuccess() && shape.Guess(0) == 0 && s.Model(j.Shape.Model(i)) == nil {
			return true
		}
	}
	return false
}
