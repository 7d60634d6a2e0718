package jobs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"

	"lull/client"
	"lull/cmd/lull/interrupt"
	"lull/cmd/lull/serve/folder"
	"lull/cmd/lull/serve/local"
	"lull/cmd/lull/serve/observe"
	"lull/cmd/lull/serve/service"
	"lull/hostctl"
	"lull/subjects"
	"lull/subjects/humane"
)

// home is where a run takes place: a pool elsewhere, or services that this process has started. It must not
// stop these while other processes need them.
type home struct {
	client *client.Client
	local  *local.Local // nil when the services are another's
	view   *client.View // set once our job has ended
}

// enter finds the pool, or starts one in this process. Warnings of services are printed beside the
// progress.
func (r *run) enter(on *interrupt.Interrupts, messages io.Writer) (*home, error) {
	if r.Server.URL == "" {
		if h, err := r.start(on, messages); !errors.Is(err, local.ErrTaken) {
			return h, err
		}
	}
	c, err := r.Connect(on.Asked)
	return &home{client: c}, err
}

func (r *run) start(on *interrupt.Interrupts, messages io.Writer) (*home, error) {
	folder.MaskOwn()
	log := observe.Log{Level: slog.LevelWarn}.Logger(messages)
	// Tasks run as the user of this process, because the job reads that user's files.
	shared := service.Shared{Pool: subjects.Pool(r.Pool), Log: log, OneJob: true}
	if err := shared.HoldDefault(); err != nil {
		return nil, err
	}
	services, err := local.Start(on.Asked, local.Config{
		Shared: shared, Data: r.Data,
		Host: service.HostConfig{Options: hostctl.Options{TaskUser: self(), TaskWrite: r.writable}},
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
	return &home{client: c, local: services}, nil
}

// self returns the user of this process in the form of --task-user; "" for a user that may not
// choose.
func self() string {
	if os.Geteuid() != 0 {
		return ""
	}
	return "root"
}

// alive returns a context that ends when a service of this process does.
func (h *home) alive(ctx context.Context) context.Context {
	if h.local == nil {
		return ctx
	}
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		if err := h.local.Wait(); err != nil {
			cancel(fmt.Errorf("a service stopped: %w", err))
		}
		cancel(nil)
	}()
	return ctx
}

// leave closes what was opened. A process that serves others stays until their jobs have ended, or
// the user asks.
func (h *home) leave(on *interrupt.Interrupts, out io.Writer) error {
	defer h.client.Close()
	if h.local == nil {
		return nil
	}
	return errors.Join(h.stay(on, out), h.local.Close())
}

func (h *home) stay(on *interrupt.Interrupts, out io.Writer) error {
	if h.view == nil || over(on.Asked) || h.open() == 0 {
		return nil
	}
	_, _ = fmt.Fprintf(out, "Waiting for %s that others submitted to this process. Ctrl-C stops now; what has not ended goes on with the next `lull up`.\n",
		humane.Count(h.open(), "job"))
	return quiet(on.Asked, h.view.Until(h.alive(on.Asked), func() bool { return h.open() == 0 }))
}

// open counts the jobs that have not ended.
func (h *home) open() int { return h.view.State.LiveJobs().Len() }
