// Package echo keeps a terminal from showing what is typed while something is drawn on it:
// each Enter would shift the drawing by a line. What is typed stays for the shell.
package echo

import (
	"os"
	"os/signal"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// Muted is a terminal without echo.
type Muted struct {
	fd      int
	pause   func() // ends the drawing
	signals chan os.Signal
	over    chan struct{}
	ended   sync.WaitGroup
	once    sync.Once

	muted bool // by us
}

// Mute turns the terminal's echo off until Restore. Ctrl-C and Ctrl-Z do what they do. The echo is
// back while the process is stopped, and if it is ended by Ctrl-\. pause is called before it stops,
// and when it goes on. A process in the background leaves the terminal alone until it comes to the
// foreground.
func Mute(tty *os.File, pause func()) *Muted {
	o := &Muted{fd: int(tty.Fd()), pause: pause, signals: make(chan os.Signal, 4), over: make(chan struct{})}
	o.catch()
	signal.Notify(o.signals, unix.SIGCONT)
	o.set(false)
	o.ended.Go(o.handle)
	return o
}

// Restore turns the echo on again. It may be called more than once, and for nil.
func (o *Muted) Restore() {
	if o == nil {
		return
	}
	o.once.Do(func() {
		close(o.over)
		o.ended.Wait()
		signal.Stop(o.signals)
		o.set(true)
	})
}

// catch asks for the signals that stop or end the process, unless its parent has it ignore them.
func (o *Muted) catch() {
	for _, s := range []os.Signal{unix.SIGTSTP, unix.SIGQUIT} {
		if !signal.Ignored(s) {
			signal.Notify(o.signals, s)
		}
	}
}

func (o *Muted) handle() {
	for {
		select {
		case <-o.over:
			return
		case s := <-o.signals:
			o.take(s)
		}
	}
}

// take performs a signal's own effect on the restored terminal.
func (o *Muted) take(s os.Signal) {
	o.pause()
	if s == unix.SIGCONT {
		o.catch()
		o.set(false)
		return
	}
	o.set(true)
	signal.Reset(s)
	_ = unix.Kill(os.Getpid(), s.(syscall.Signal)) // nothing is missing for a signal to oneself
}

// set turns the echo on if it is off because of us, or off. A terminal that is gone has none.
func (o *Muted) set(on bool) {
	if on && !o.muted || !o.foreground() {
		return
	}
	state, err := unix.IoctlGetTermios(o.fd, unix.TCGETS)
	if err != nil || !on && state.Lflag&unix.ECHO == 0 {
		return
	}
	state.Lflag &^= unix.ECHO
	if on {
		state.Lflag |= unix.ECHO
	}
	if unix.IoctlSetTermios(o.fd, unix.TCSETS, state) == nil {
		o.muted = !on
	}
}

// foreground reports whether the process may set the terminal: the kernel stops a background
// process that tries. Any process may set a terminal that does not control it.
func (o *Muted) foreground() bool {
	group, err := unix.IoctlGetInt(o.fd, unix.TIOCGPGRP)
	return err != nil || group == unix.Getpgrp()
}
