package sum

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"

	"lull/hostctl/cgroup"
	"lull/hostctl/goenv"
	"lull/subjects/manifest"
)

// Config says how a process is started.
type Config struct {
	// Command starts a program that calls Main with what follows it.
	Command []string
	// In are groups of the background.
	In cgroup.Groups
}

// Process hashes files, one at a time. One goroutine uses it.
type Process struct {
	ctx   context.Context
	cmd   *exec.Cmd
	paths io.WriteCloser
	lines *bufio.Reader
	words bytes.Buffer // what it says of its end
}

// Start starts a process that ends with ctx, or with Close.
func Start(ctx context.Context, cfg Config) (*Process, error) {
	args := slices.Concat(cfg.Command[1:], formatGroups(cfg.In))
	p := &Process{ctx: ctx, cmd: exec.CommandContext(ctx, cfg.Command[0], args...)}
	p.cmd.Stderr = &p.words
	p.cmd.Dir, p.cmd.Env = "/", goenv.Of("GOMAXPROCS=2")
	// Ctrl-C reaches the agent alone; and without cgroups the kernel weighs sessions.
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	paths, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("start hashing: %w", err)
	}
	p.cmd.Cancel = paths.Close // which also ends the processes that it started
	output, err := p.cmd.StdoutPipe()
	if err == nil {
		err = p.cmd.Start()
	}
	if err != nil {
		return nil, fmt.Errorf("start hashing: %w", err)
	}
	p.paths, p.lines = paths, bufio.NewReader(output)
	return p, nil
}

// Sum returns the bytes and the SHA-256 of the extents of an open file, or of all of it if they are nil. The
// process opens it by this process's descriptor, because another file may have its path by then. Sum calls more for each piece that was hashed.
func (p *Process) Sum(f *os.File, data []manifest.Extent, more func(int64)) (size int64, sum []byte, err error) {
	if _, err = fmt.Fprintf(p.paths, "/proc/%d/fd/%d%s\n", os.Getpid(), f.Fd(), formatExtents(data)); err == nil {
		var line string
		if line, err = p.answer(more); err == nil {
			return parse(line)
		}
	}
	if p.ctx.Err() != nil {
		return 0, nil, context.Cause(p.ctx)
	}
	err = errors.Join(err, p.Close())
	return 0, nil, fmt.Errorf("hash %s: %w %s", f.Name(), err, strings.TrimSpace(p.words.String()))
}

// answer returns the line that is no progress.
func (p *Process) answer(more func(int64)) (string, error) {
	for {
		line, err := p.lines.ReadString('\n')
		if err != nil || line != progress {
			return line, err
		}
		more(progressBytes)
	}
}

// parse reads an answer: size and sum, or an error's text.
func parse(line string) (size int64, sum []byte, err error) {
	line = strings.TrimSuffix(line, "\n")
	if text, failed := strings.CutPrefix(line, failure); failed {
		return 0, nil, errors.New(text)
	}
	var digits string
	if _, err = fmt.Sscanf(line, "%d %s", &size, &digits); err == nil {
		sum, err = hex.DecodeString(digits)
	}
	if err != nil || len(sum) != sha256.Size || size < 0 {
		return 0, nil, errors.Join(fmt.Errorf("the hashing process answered %q", line), err)
	}
	return size, sum, nil
}

// Close ends the process and waits for its end.
func (p *Process) Close() error {
	_ = p.paths.Close()
	return p.cmd.Wait()
}
