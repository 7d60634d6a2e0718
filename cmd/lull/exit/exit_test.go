package exit_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"lull/cmd/lull/exit"
)

func TestCodeSurvivesWrapping(t *testing.T) {
	rejected := exit.With(exit.Rejected, errors.New("its deadline cannot be met"))
	for _, c := range []struct {
		err  error
		want int
	}{
		{nil, exit.OK},
		{errors.New("plain"), exit.Error},
		{rejected, exit.Rejected},
		{fmt.Errorf("submit: %w", rejected), exit.Rejected},
		{fmt.Errorf("wait: %w", context.Canceled), exit.Interrupted},
		{exit.With(exit.Failed, nil), exit.Failed},
	} {
		if got := exit.Code(c.err); got != c.want {
			t.Errorf("Code(%v) = %d, want %d", c.err, got, c.want)
		}
	}
}

func TestAnErrorWithoutTextStaysAnError(t *testing.T) {
	if err := exit.With(exit.Failed, nil); err == nil || err.Error() != "" {
		t.Errorf("With(Failed, nil) = %v, want an error without text", err)
	}
}
