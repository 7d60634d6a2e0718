package main

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
	beside
	helper *exec.Cmd
	hold   io.Closer // the helper's input
}

func (s *stage) launchSpread(kind string) (beside, error) {
	batch, err := s.launch(kind, copies[kind], "-join", s.batch[idled])
	if err != nil {
		return nil, err
	}
	server, users := s.tenant.server.Process.Pid, s.tenant.users.Process.Pid
	h := &spreading{beside: batch, helper: exec.Command(s.binary, "spread", spreadEach, strconv.Itoa(server), strconv.Itoa(users))}
	h.helper.Stderr = os.Stderr
	if h.hold, err = h.helper.StdinPipe(); err == nil {
		err = h.helper.Start()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("start the helper: %w", err), batch.stop())
	}
	return h, nil
}

func (h *spreading) stop() error {
	return errors.Join(h.hold.Close(), h.helper.Wait(), h.beside.stop())
}
