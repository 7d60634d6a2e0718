package shell_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"

	"lull/actors"
	"lull/actors/memory"
	"lull/actors/shell"
	"lull/subjects"
)

// wordy gives answers that are larger than a message may be.
type wordy struct{ echo }

func (a *wordy) Step(actors.Input) (out actors.Output) { return out }

func (a *wordy) Answer(string, []byte) []byte { return make([]byte, 2<<20) }

// A question whose answer is too large is answered with an error. Only the question
// for the wanted outputs gets no answer: a host deletes what an answer does not list.
func TestAnAnswerThatIsTooLargeSaysSo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bus := memory.New("test")
		ctx, stop := context.WithCancel(t.Context())
		service := running(t, ctx, shell.Config{
			Role: actors.Role{Name: "wordy", Asks: []string{subjects.AskJobs, subjects.AskWanted, subjects.AskAdmission}}, Bus: bus, Actor: &wordy{},
		})
		answers, err := bus.Listen(ctx, "answers")
		if err != nil {
			t.Fatal(err)
		}
		for _, ask := range []string{subjects.AskWanted, subjects.AskJobs} {
			if err := bus.Send(actors.Delivery{Subject: bus.Pool().Ask(ask), Reply: "answers"}); err != nil {
				t.Fatal(err)
			}
		}
		var got subjects.JobsAnswer
		if err := subjects.Unmarshal((<-answers).Body, &got); err != nil || !strings.Contains(got.Error, "max_payload") {
			t.Errorf("answer = %q, %v, want an error on max_payload", got.Error, err)
		}
		if err := bus.Send(actors.Delivery{Subject: bus.Pool().Ask(subjects.AskAdmission), Reply: "answers"}); err != nil {
			t.Fatal(err)
		}
		var forecast subjects.Forecast
		if err := json.Unmarshal((<-answers).Body, &forecast); err != nil || !strings.Contains(forecast.Error, "max_payload") {
			t.Errorf("answer to a dry run = %q, %v, want an error on max_payload", forecast.Error, err)
		}
		synctest.Wait()
		if len(answers) > 0 {
			t.Errorf("further answers = %d, want 0", len(answers))
		}
		stop()
		<-service.Done()
	})
}
