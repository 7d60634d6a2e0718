package shim

import (
	"bytes"
	"net"
	"testing"

	"pgregory.net/rapid"
)

func TestFramesSurviveAnyCut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var sent [][]byte
		var wire []byte
		for _, text := range rapid.SliceOf(rapid.String()).Draw(t, "messages") {
			before := len(wire)
			var err error
			if wire, err = appendFrame(wire, text); err != nil {
				t.Fatal(err)
			}
			sent = append(sent, bytes.Clone(wire[before+4:]))
		}
		var in []byte
		for len(wire) > 0 {
			n := rapid.IntRange(1, len(wire)).Draw(t, "cut")
			in, wire = append(in, wire[:n]...), wire[n:]
			for {
				body, rest, ok, err := cutFrame(in)
				if err != nil {
					t.Fatal(err)
				}
				if !ok {
					break
				}
				if len(sent) == 0 || !bytes.Equal(body, sent[0]) {
					t.Fatalf("frame read = %q, want the next one sent", body)
				}
				sent, in = sent[1:], bytes.Clone(rest)
			}
		}
		if len(sent) > 0 || len(in) > 0 {
			t.Fatalf("left: %d messages, %d bytes, want 0, 0", len(sent), len(in))
		}
	})
}

// A process that can reach the socket may send anything; the shim and its task go on.
func TestNonsenseEndsOnlyTheConnection(t *testing.T) {
	cfg := testConfig(t)
	c := launch(t, cfg)
	if err := c.Start(shell(cfg, 1, `sleep 1000`)); err != nil {
		t.Fatal(err)
	}
	next[*Started](t, c)
	for _, nonsense := range []string{
		"\xff\xff\xff\xff", "\x00\x00\x00\x06\xdd\xff\xff\xff\xff\x01", "\x00\x00\x00\x01\xc1", "\x00\x00\x00\x00",
	} {
		conn, err := net.Dial("unix", socketPath(cfg.Dir))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := conn.Write([]byte(nonsense)); err != nil {
			t.Fatal(err)
		}
		for buf := make([]byte, 512); ; {
			if _, err := conn.Read(buf); err != nil {
				break // hung up, as it should
			}
		}
		_ = conn.Close()
	}
	again := launch(t, cfg)
	if h := again.Hello(); h.Running == nil || h.Running.Attempt != 1 {
		t.Errorf("greeted with %+v, want attempt 1 running", h)
	}
}
