package otlp

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	common "go.opentelemetry.io/proto/otlp/common/v1"
	trace "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// collector answers requests with the answers given, in turn, and keeps what it was sent.
type collector struct {
	answers  []answer
	requests []*http.Request
	bodies   [][]byte
	at       []time.Time
}

type answer struct {
	status     int
	retryAfter string
	location   string
	body       string
	err        error
}

func (c *collector) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	c.requests, c.bodies, c.at = append(c.requests, r), append(c.bodies, body), append(c.at, time.Now())
	a := c.answers[min(len(c.requests), len(c.answers))-1]
	if a.err != nil {
		return nil, a.err
	}
	return &http.Response{
		StatusCode: a.status, Status: http.StatusText(a.status), Request: r,
		Header: http.Header{"Retry-After": {a.retryAfter}, "Location": {a.location}}, Body: io.NopCloser(strings.NewReader(a.body)),
	}, nil
}

// client returns a client whose requests go to c.
func (c *collector) client(config Config) *Client {
	config.URL = "http://collector:4318/v1/traces"
	client := NewClient(config)
	client.http.Transport = c
	return client
}

var spans = []*trace.ResourceSpans{{ScopeSpans: []*trace.ScopeSpans{{
	Scope: &common.InstrumentationScope{Name: "lull"}, Spans: []*trace.Span{{Name: "append"}},
}}}}

func TestACollectorReadsWhatIsSent(t *testing.T) {
	for _, zip := range []bool{false, true} {
		c := &collector{answers: []answer{{status: 200}}}
		config := Config{Gzip: zip, Headers: map[string]string{"api-key": "k"}}
		if err := c.client(config).UploadTraces(t.Context(), spans); err != nil {
			t.Fatal(err)
		}
		r, body := c.requests[0], c.bodies[0]
		if got := r.Header.Get("Content-Type"); got != "application/x-protobuf" || r.Header.Get("api-key") != "k" {
			t.Errorf("gzip %v: content type %q, api-key %q; want protobuf and k", zip, got, r.Header.Get("api-key"))
		}
		if (r.Header.Get("Content-Encoding") == "gzip") != zip {
			t.Errorf("gzip %v: Content-Encoding = %q", zip, r.Header.Get("Content-Encoding"))
		}
		if zip {
			reader, err := gzip.NewReader(bytes.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			if body, err = io.ReadAll(reader); err != nil {
				t.Fatal(err)
			}
		}
		var got trace.TracesData
		if err := proto.Unmarshal(body, &got); err != nil || !proto.Equal(&got, &trace.TracesData{ResourceSpans: spans}) {
			t.Errorf("gzip %v: the collector reads %v (%v), want %v", zip, &got, err, spans)
		}
	}
}

func TestACollectorThatIsBusyIsAskedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &collector{answers: []answer{{status: 503, retryAfter: "7"}, {err: errors.New("connection refused")}, {status: 429}, {status: 200}}}
		if err := c.client(Config{}).UploadTraces(t.Context(), spans); err != nil {
			t.Fatal(err)
		}
		if len(c.at) != 4 {
			t.Fatalf("%d requests, want 4", len(c.at))
		}
		if first := c.at[1].Sub(c.at[0]); first != 7*time.Second {
			t.Errorf("pause after Retry-After: 7 = %v, want 7s", first)
		}
		for i, least := range []time.Duration{time.Second, 2 * time.Second} {
			if pause := c.at[i+2].Sub(c.at[i+1]); pause < least || pause > 3*least {
				t.Errorf("pause %d without Retry-After = %v, want between %v and %v", i+1, pause, least, 3*least)
			}
		}
	})
}

func TestARefusalIsFinalAndAnOutageLastsUntilTheContextEnds(t *testing.T) {
	c := &collector{answers: []answer{{status: 400, body: "no such\ntenant"}}}
	err := c.client(Config{}).UploadTraces(t.Context(), spans)
	if err == nil || len(c.requests) != 1 || !strings.Contains(err.Error(), "no such tenant") {
		t.Errorf("after 400: %d requests, %v; want one, and the collector's words in one line", len(c.requests), err)
	}
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		c := &collector{answers: []answer{{err: errors.New("connection refused")}}}
		err := c.client(Config{}).UploadTraces(ctx, spans)
		if err == nil || !strings.Contains(err.Error(), "connection refused") || len(c.requests) < 4 {
			t.Errorf("after a minute without a collector: %v after %d requests, want its error and some requests", err, len(c.requests))
		}
	})
}

func TestKeysStayWithTheirCollector(t *testing.T) {
	c := &collector{answers: []answer{{status: 307, location: "http://elsewhere/v1/traces"}, {status: 200}}}
	err := c.client(Config{Headers: map[string]string{"api-key": "k"}}).UploadTraces(t.Context(), spans)
	if err == nil || len(c.requests) != 1 {
		t.Errorf("after a redirection: %d requests, %v; want one, and an error", len(c.requests), err)
	}
}

func TestSpansThatWereRefusedAreTold(t *testing.T) {
	partial := "\x0a\x0d\x08\x05\x12\x09too large" // {partial_success: {rejected_spans: 5, error_message: "too large"}}
	for body, want := range map[string]string{
		partial: "the collector refused 5 spans: too large", "": "", "ok": "", "\x0a\x00": "", partial[:6]: "",
		"\x0a\x04\x12\x02hi": "the collector refused 0 spans: hi",
	} {
		c := &collector{answers: []answer{{status: 200, body: body}}}
		var got string
		if err := c.client(Config{}).UploadTraces(t.Context(), spans); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("answer %q: error %q, want %q", body, got, want)
		}
	}
}

func TestRetryAfterIsSecondsOrADate(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for value, want := range map[string]time.Duration{
		"": 0, "3": 3 * time.Second, "-1": 0, "soon": 0, "99999999": time.Hour,
		"Fri, 02 Jan 2026 03:04:15 GMT": 10 * time.Second, "Fri, 02 Jan 2026 03:04:00 GMT": 0,
	} {
		if got := retryAfter(value, now); got != want {
			t.Errorf("retryAfter(%q) = %v, want %v", value, got, want)
		}
	}
}
