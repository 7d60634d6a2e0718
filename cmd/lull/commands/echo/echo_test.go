package echo

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"lull/test/poll"
	"lull/test/pty"
)

// TestMain is also the process that the tests stop and end.
func TestMain(m *testing.M) {
	if os.Getenv("ECHO_CHILD") != "" {
		Mute(os.Stdin, func() {})
		fmt.Fprintln(os.Stderr, "muted")
		select {}
	}
	os.Exit(m.Run())
}

// press types a line, waits until the terminal has taken it in, and returns what has become
// visible.
func press(t *testing.T, keys, tty *os.File, line string) string {
	t.Helper()
	if _, err := keys.WriteString(line); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 100)
	if n, err := tty.Read(got); err != nil || string(got[:n]) != line {
		t.Fatalf("Read() after %q was typed = %q, %v, want the same", line, got[:n], err)
	}
	if _, err := tty.WriteString("."); err != nil {
		t.Fatal(err)
	}
	shown, err := bufio.NewReader(keys).ReadString('.')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(shown, ".")
}

func TestEnterIsNotShownWhileMuted(t *testing.T) {
	keys, tty := pty.Open(t)
	if shown := press(t, keys, tty, "a\n"); shown != "a\r\n" {
		t.Fatalf("shown before Mute() = %q, want %q", shown, "a\r\n")
	}
	off := Mute(tty, func() {})
	if shown := press(t, keys, tty, "\n"); shown != "" {
		t.Errorf("shown after Mute() = %q, want nothing", shown)
	}
	off.Restore()
	off.Restore()
	if shown := press(t, keys, tty, "b\n"); shown != "b\r\n" {
		t.Errorf("shown after Restore() = %q, want %q", shown, "b\r\n")
	}
	(*Muted)(nil).Restore()
}

func TestATerminalThatHadNoEchoGetsNone(t *testing.T) {
	_, tty := pty.Open(t)
	first := Mute(tty, func() {})
	Mute(tty, func() {}).Restore()
	if pty.Echoes(t, tty) {
		t.Error("Restore() of the second turned the echo on, want it off, as the first left it")
	}
	first.Restore()
	if !pty.Echoes(t, tty) {
		t.Error("Restore() of the first left the echo off, want it on")
	}
}

// child starts a process that the terminal controls, and that has muted it.
func child(t *testing.T) (keys, tty *os.File, cmd *exec.Cmd) {
	t.Helper()
	keys, tty = pty.Open(t)
	cmd = exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "ECHO_CHILD=1")
	cmd.Stdin = tty
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	says, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	if line, err := bufio.NewReader(says).ReadString('\n'); err != nil || line != "muted\n" {
		t.Fatalf("stderr of the process = %q, %v, want muted", line, err)
	}
	return keys, tty, cmd
}

func await(t *testing.T, tty *os.File, want bool) {
	t.Helper()
	if !poll.Until(time.Minute, 5*time.Millisecond, func() bool { return pty.Echoes(t, tty) == want }) {
		t.Fatalf("echo of the terminal = %v for a minute, want %v", !want, want)
	}
}

// goOn continues the process until it has muted the terminal again. The echo is back a moment
// before the process stops, so one SIGCONT may come too early.
func goOn(t *testing.T, tty *os.File, cmd *exec.Cmd) {
	t.Helper()
	muted := func() bool { return cmd.Process.Signal(unix.SIGCONT) == nil && !pty.Echoes(t, tty) }
	if !poll.Until(time.Minute, 100*time.Millisecond, muted) {
		t.Fatal("echo of the terminal = on for a minute of SIGCONT, want the process to mute it again")
	}
}

func TestTheEchoIsBackWhileTheProcessIsStopped(t *testing.T) {
	keys, tty, cmd := child(t)
	for range 2 {
		await(t, tty, false)
		if _, err := keys.WriteString("\x1a"); err != nil {
			t.Fatal(err)
		}
		await(t, tty, true)
		goOn(t, tty, cmd)
	}
}

func TestTheEchoIsBackAfterQuit(t *testing.T) {
	keys, tty, cmd := child(t)
	if _, err := keys.WriteString("\x1c"); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil {
		t.Error("Wait() after quit = nil, want an error")
	}
	await(t, tty, true)
}
