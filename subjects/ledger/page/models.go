package page

import (
	"slices"

	"lull/subjects"
	"lull/subjects/ledger"
)

// Models answers a question for models of task times.
func Models(s *ledger.State, ask *subjects.ModelsAsk) *subjects.ModelsAnswer {
	answer := &subjects.ModelsAnswer{Folded: subjects.Folded{Seq: s.Seq}}
	if ask.After == "" {
		for _, a := range s.Accuracies {
			answer.Types = append(answer.Types, subjects.TypeLine{Type: a.Type, Runs: a.Runs, Predicted: a.Predicted, True: a.True, Error: a.Error, Unfit: !a.Fits()})
		}
	}
	bytes := 0
	names := s.Types()
	at, found := slices.BinarySearch(names, ask.After)
	if found {
		at++
	}
	for _, name := range names[at:] {
		if n := len(answer.Models); n == pageLines || bytes > pageBytes {
			answer.Next = answer.Models[n-1].Model
			break
		}
		answer.Models = append(answer.Models, subjects.ModelLine{Model: name, Fitted: s.Model(name)})
		bytes += modelBytes + len(name)
	}
	return answer
}

// modelBytes is what a model takes in an answer.
const modelBytes = 300
