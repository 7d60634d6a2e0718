package stage

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
)

// spreadEach is how often the helper looks. Half of it moves more threads in
// time, but what it costs is taken from the batch work.
const spreadEach = "1ms"

// spreading is batch work in the idle class with the helper.
type spreading struct {
	Batch
	helper *exec.Cmd
	hold   io.Closer // the helper's input
}

func (s *Stage) launchSpread(kind string) (Batch, error) {
	batch, err := s.Launch(kind, Copies[kind], "-join", s.Batch[Idled])
	if err != nil {
		return nil, err
	}
	server, users := s.Tenant.PIDs()
	h := &spreading{Batch: batch, helper: exec.Command(s.binary, "spread", spreadEach, strconv.Itoa(server), strconv.Itoa(users))}
	h.helper.Stderr = os.Stderr
	if h.hold, err = h.helper.StdinPipe(); err == nil {
		err = h.helper.Start()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("start the helper: %w", err), batch.Stop())
	}
	return h, nil
}

func (h *spreading) Stop() error {
	return errors.Join(h.hold.Close(), h.helper.Wait(), h.Batch.Stop())
}
