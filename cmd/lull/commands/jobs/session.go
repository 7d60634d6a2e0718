package jobs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"lull/client"
	"lull/cmd/lull/exit"
	"lull/cmd/lull/interrupt"
	"lull/cmd/lull/serve/folder"
	"lull/cmd/lull/serve/local"
	"lull/cmd/lull/serve/observe"
	"lull/cmd/lull/serve/service"
	"lull/hostctl"
	"lull/subjects"
	"lull/subjects/humane"
)

// session is where a run takes place: a pool elsewhere, or services that this process has started. It must not
// stop these while other processes need them.
type session struct {
	client *client.Client
	local  *local.Local // nil when the services are another's
	view   *client.View // set once our job has ended
}

// openSession finds the pool, or starts one in this process. Warnings of services are printed beside the
// progress.
func (r *run) openSession(on *interrupt.Interrupts, messages io.Writer) (*session, error) {
	if r.Server.URL != "" {
		c, err := r.Connect(on.Asked)
		return &session{client: c}, err
	}
	r.left.data = r.Data
	for {
		s, err := r.startServices(on, messages)
		if !errors.Is(err, local.ErrTaken) {
			return s, err
		}
		c, err := r.Connect(on.Asked)
		if !errors.Is(err, folder.ErrStopping) || interrupted(on.Asked) {
			return &session{client: c}, err
		}
		// The lull run there is about to leave the folder: the attempt to take it waits a moment.
	}
}

func (r *run) startServices(on *interrupt.Interrupts, messages io.Writer) (*session, error) {
	folder.TightenUmask()
	log := observe.Log{Level: slog.LevelWarn}.Logger(messages)
	// Tasks run as the user of this process, because the job reads that user's files.
	shared := service.Shared{Pool: subjects.Pool(r.Pool), Log: log, OneJob: true}
	if err := shared.HoldDefault(); err != nil {
		return nil, err
	}
	host := OwnHost
	host.TaskUser, host.TaskWrite = taskUser(), r.writable
	services, err := local.Start(on.Asked, local.Config{
		Shared: shared, Data: r.Data,
		Host: service.HostConfig{Options: host, Stdin: r.input.Open, Hurry: on.Insisted.Done()},
	})
	if err != nil {
		return nil, err
	}
	nc, err := services.Conn("client")
	if err != nil {
		return nil, errors.Join(err, services.Close())
	}
	c, err := r.Open(on.Asked, nc)
	if err != nil {
		return nil, errors.Join(err, services.Close())
	}
	return &session{client: c, local: services}, nil
}

// OwnHost has options of the host that runs in the process of a `lull run`, besides the user and the folders of its tasks. Tests
// set it: the command has no flags for them.
var OwnHost hostctl.Options

// taskUser returns the user of this process in the form of --task-user; "" for a user that may not
// choose.
func taskUser() string {
	if os.Geteuid() != 0 {
		return ""
	}
	return "root"
}

// withServices returns a context that ends when a service of this process does.
func (s *session) withServices(ctx context.Context) context.Context {
	if s.local == nil {
		return ctx
	}
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		if err := s.local.Wait(); err != nil {
			cancel(fmt.Errorf("a service stopped: %w", err))
		}
		cancel(nil)
	}()
	return ctx
}

// end closes the session of a run that ended with err, and returns the error of the command.
func (s *session) end(on *interrupt.Interrupts, err error, out io.Writer) error {
	closed := s.close(on, out)
	if on.Insisted.Err() != nil {
		return exit.With(exit.Interrupted, nil) // what failed is that the user did not wait
	}
	return errors.Join(err, closed)
}

// close closes what was opened. A process that serves others stays until their jobs have ended, or
// the user asks.
func (s *session) close(on *interrupt.Interrupts, out io.Writer) error {
	defer s.client.Close()
	if s.local == nil {
		return nil
	}
	return errors.Join(s.awaitOthers(on, out), s.stop(on))
}

// insistPatience bounds the wait for the end of killed tasks and of services after the user insisted.
const insistPatience = 3 * time.Second

// stop stops the services. Tasks have their grace, unless the user insists: then they are killed.
func (s *session) stop(on *interrupt.Interrupts) error {
	stopped := make(chan error, 1)
	go func() { stopped <- s.local.Close() }()
	select {
	case err := <-stopped:
		return err
	case <-on.Insisted.Done():
	}
	select {
	case err := <-stopped:
		return err
	case <-time.After(insistPatience):
		return nil // the next start on the folder ends what is left
	}
}

const (
	glance  = 50 * time.Millisecond // between two looks at whether others use the services
	silence = time.Second           // in which nothing is said about others that have no job
)

// awaitOthers waits until no job is open and no other process uses these services.
func (s *session) awaitOthers(on *interrupt.Interrupts, out io.Writer) error {
	if s.view == nil || interrupted(on.Asked) {
		return nil
	}
	ctx := s.withServices(on.Asked)
	for told, since := "", time.Now(); ; { // since: no job is open
		unused, err := s.unused(ctx)
		if unused || err != nil {
			return unlessInterrupted(on.Asked, err)
		}
		jobs := s.openJobs() > 0
		if told == "" && jobs || told != guests && !jobs && time.Since(since) > silence {
			told = s.others()
			_, _ = fmt.Fprintf(out, "Waiting for %s. Ctrl-C stops now; what has not ended goes on with the next `lull up`.\n", told)
		}
		if jobs {
			if err := s.view.Until(ctx, func() bool { return s.openJobs() == 0 }); err != nil {
				return unlessInterrupted(on.Asked, err)
			}
			since = time.Now()
		}
		select {
		case <-ctx.Done():
			return unlessInterrupted(on.Asked, context.Cause(ctx))
		case <-time.After(glance):
		}
	}
}

// unused reports whether no job is open and no other process uses these services. Then none can begin to.
func (s *session) unused(ctx context.Context) (bool, error) {
	if s.openJobs() > 0 || !s.local.CloseToGuests() {
		return false, nil
	}
	if err := s.view.CatchUp(ctx); err != nil { // the last one may have submitted a job before it left
		return false, err
	}
	if s.openJobs() > 0 {
		return false, s.local.OpenToGuests()
	}
	return true, nil
}

const guests = "another lull that uses this process"

// others names what is waited for.
func (s *session) others() string {
	if n := s.openJobs(); n > 0 {
		return humane.Count(n, "job") + " that others submitted to this process"
	}
	return guests
}

// openJobs counts the jobs that have not ended.
func (s *session) openJobs() int { return s.view.State.LiveJobs().Len() }
