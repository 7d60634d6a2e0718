package shim

import (
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// hungUp waits until a client's connection has ended.
func hungUp(t testing.TB, c *Client) {
	t.Helper()
	deadline := time.After(patience)
	for {
		select {
		case _, open := <-c.Events():
			if !open {
				return
			}
		case <-deadline:
			t.Fatal("time is over, want the end of the connection")
		}
	}
}

func TestAdoptsRunningTask(t *testing.T) {
	cfg := testConfig(t)
	first := launch(t, cfg)
	task := shell(cfg, 5, `while ! [ -e go ]; do sleep 0.01; done; exit 4`)
	if err := first.Start(task); err != nil {
		t.Fatal(err)
	}
	started := next[*Started](t, first)
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	second := launch(t, cfg)
	h := second.Hello()
	if second.PID() != first.PID() || h.Running == nil || *h.Running != started.Running || len(h.Ended) > 0 {
		t.Fatalf("greeted with %+v, want attempt %+v running in the same shim", h, started)
	}
	if err := second.Start(task); err != nil { // repeated: it must not run twice
		t.Fatal(err)
	}
	if err := os.WriteFile(cfg.Dir+"/go", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if e := next[*Exited](t, second); e.Status != 4 || e.PID != started.PID || e.Start != started.Start {
		t.Errorf("end = %+v, want that of %+v", e, started)
	}
}

func TestKeepsEndsUntilAcknowledged(t *testing.T) {
	cfg := testConfig(t)
	first := launch(t, cfg)
	for attempt := range uint64(3) {
		run(t, first, shell(cfg, attempt+1, `exit 7`))
	}
	if err := first.Start(Task{Attempt: 4, Argv: []string{"no-such-command"}}); err != nil {
		t.Fatal(err)
	}
	next[*StartFailed](t, first)
	if err := first.Ack(2); err != nil {
		t.Fatal(err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	second := launch(t, cfg)
	h := second.Hello()
	if len(h.Ended) != 2 || h.Ended[0].Attempt != 1 || h.Ended[1].Attempt != 3 || h.Ended[0].Status != 7 {
		t.Errorf("kept %+v, want the ends of 1 and 3", h.Ended)
	}
	if len(h.Unstarted) != 1 || h.Unstarted[0].Attempt != 4 {
		t.Errorf("kept %+v, want the failed start of 4", h.Unstarted)
	}
	if e := run(t, second, shell(cfg, 1, `exit 0`)); e.Status != 7 {
		t.Errorf("end of attempt 1, sent again, = %+v, want status 7 as at first", e)
	}
}

func TestNewerClientReplacesOlder(t *testing.T) {
	cfg := testConfig(t)
	first := launch(t, cfg)
	second := launch(t, cfg)
	hungUp(t, first)
	if e := run(t, second, shell(cfg, 1, `exit 0`)); e.Status != 0 {
		t.Errorf("end = %+v, want status 0", e)
	}
}

func TestTimeoutHoldsWithoutAgent(t *testing.T) {
	cfg := testConfig(t)
	first := launch(t, cfg)
	task := shell(cfg, 1, `exec sleep 1000`)
	task.Timeout = 300 * time.Millisecond
	if err := first.Start(task); err != nil {
		t.Fatal(err)
	}
	started := next[*Started](t, first)
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "the task's end", func() bool { return startTime(started.PID) == "" })
	c := launch(t, cfg)
	if h := c.Hello(); h.Running != nil {
		next[*Exited](t, c)
	} else if len(h.Ended) != 1 || h.Ended[0].Reason != reasonTimeout {
		t.Errorf("greeted with %+v, want one end by timeout", h)
	}
}

func TestIdleShimEnds(t *testing.T) {
	cfg := testConfig(t)
	cfg.Idle = 20 * time.Millisecond
	c := launch(t, cfg)
	pid := c.PID()
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "the shim to end", func() bool { return startTime(pid) == "" })
	if _, err := os.Stat(socketPath(cfg.Dir)); !os.IsNotExist(err) {
		t.Errorf("socket of the shim that ended: %v, want it removed", err)
	}
	if again := launch(t, cfg); again.PID() == pid {
		t.Errorf("PID() = %d of the dead shim, want a new one", pid)
	}
}

func TestShimWithUnacknowledgedEndStays(t *testing.T) {
	cfg := testConfig(t)
	cfg.Idle, cfg.Keep = time.Nanosecond, time.Hour
	c := launch(t, cfg)
	run(t, c, shell(cfg, 1, `exit 9`))
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if h := launch(t, cfg).Hello(); len(h.Ended) != 1 || h.PID != c.PID() {
		t.Errorf("greeted with %+v, want the end of attempt 1", h)
	}
}

func TestQuitEndsTaskAndShim(t *testing.T) {
	eachContainment(t, func(t *testing.T, cfg Config) {
		c := launch(t, cfg)
		if err := c.Start(shell(cfg, 1, `echo $$ > main; exec sleep 1000`)); err != nil {
			t.Fatal(err)
		}
		next[*Started](t, c)
		waitFor(t, "the task's file", func() bool { return strings.HasSuffix(string(must(os.ReadFile(cfg.Dir+"/main"))), "\n") })
		pid := c.PID()
		quit(t, c)
		if !gone(t, cfg.Dir+"/main") {
			t.Error("the task lives on, want it ended")
		}
		waitFor(t, "the shim to end", func() bool { return startTime(pid) == "" })
	})
}

// must drops the error of a file that may not be there yet.
func must(b []byte, _ error) []byte { return b }

func TestKilledShim(t *testing.T) {
	eachContainment(t, func(t *testing.T, cfg Config) {
		c := launch(t, cfg)
		if err := c.Start(shell(cfg, 1, `echo $$ > main; exec sleep 1000`)); err != nil {
			t.Fatal(err)
		}
		next[*Started](t, c)
		waitFor(t, "the task's file", func() bool { return strings.HasSuffix(string(must(os.ReadFile(cfg.Dir+"/main"))), "\n") })
		if err := unix.Kill(c.PID(), unix.SIGKILL); err != nil {
			t.Fatal(err)
		}
		hungUp(t, c)
		if gone(t, cfg.Dir+"/main") {
			t.Error("the task ended with its shim, want it to live on")
		}
		fresh := launch(t, cfg)
		if h := fresh.Hello(); h.PID == c.PID() || h.Running != nil {
			t.Errorf("greeted with %+v, want a new shim", h)
		}
		if !gone(t, cfg.Dir+"/main") {
			t.Error("the task of a shim without an agent lives on, want it ended")
		}
		if e := run(t, fresh, shell(cfg, 2, `exit 0`)); e.Status != 0 {
			t.Errorf("end = %+v, want status 0", e)
		}
	})
}

func TestOneShimPerFolder(t *testing.T) {
	cfg := testConfig(t).withDefaults()
	launch(t, cfg)
	if err := start(testContext(t), cfg); err == nil || !strings.Contains(err.Error(), "another shim") {
		t.Errorf("start(a second shim) = %v, want an error that says so", err)
	}
}
