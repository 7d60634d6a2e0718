package models

import (
	"fmt"
	"io"

	"lull/cmd/lull/commands/listing"
	"lull/subjects"
	"lull/subjects/humane"
)

// placedTypes adds to a list of models how well the times of placed jobs were predicted, by their types.
func placedTypes(w io.Writer, types []subjects.TypeLine) error {
	if len(types) == 0 {
		return nil
	}
	if _, err := fmt.Fprintln(w); err != nil {
		return err
	}
	return listing.Print(w, listing.Table, types, placedHeader, placedCells, "")
}

var placedHeader = []string{"PLACED TYPE", "JOBS", "PREDICTED", "TOOK", "ERROR"}

// types lists the predictions of placed jobs, without models.
func (m *models) types(w io.Writer, types []subjects.TypeLine) error {
	return listing.Print(w, m.format, types, placedHeader, placedCells, "No job was placed yet: see docs/placing.md.")
}

func placedCells(t subjects.TypeLine) []string {
	err := humane.Percent(t.Error)
	if t.Unfit {
		err += " UNFIT"
	}
	return []string{t.Type, fmt.Sprint(t.Runs), humane.Seconds(t.Predicted), humane.Seconds(t.True), err}
}
