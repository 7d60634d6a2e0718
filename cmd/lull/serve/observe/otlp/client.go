// Package otlp sends spans to a collector by OTLP over HTTP, as protobuf, configured by OpenTelemetry's environment variables.
//
// OpenTelemetry's exporter otlptracehttp does the same, and brings all of gRPC along, which takes as long to build as
// Go's net/http. What is sent, and when, is still decided by OpenTelemetry's SDK; see
// https://opentelemetry.io/docs/specs/otlp/#otlphttp for the protocol.
package otlp

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"time"

	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	trace "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

const (
	firstPause = time.Second
	maxPause   = 30 * time.Second
	// maxAnswer bounds what is read of a collector's answer, in bytes.
	maxAnswer = 64 << 10
)

// Client uploads spans to one collector.
type Client struct {
	config Config
	http   *http.Client
}

var _ otlptrace.Client = (*Client)(nil)

// NewClient returns a client of the collector that config names.
func NewClient(config Config) *Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.TLSClientConfig = config.TLS
	// A redirection would take the headers, which may hold a key, to another host.
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &Client{config: config, http: &http.Client{Transport: transport, Timeout: config.Timeout, CheckRedirect: stay}}
}

// Start does nothing: connections are opened as they are needed.
func (c *Client) Start(context.Context) error { return nil }

// Stop closes connections that are idle.
func (c *Client) Stop(context.Context) error {
	c.http.CloseIdleConnections()
	return nil
}

// UploadTraces sends spans, again after a pause where the collector says that it could take them later, until ctx ends.
func (c *Client) UploadTraces(ctx context.Context, spans []*trace.ResourceSpans) error {
	// A request to a collector, ExportTraceServiceRequest, has the same bytes as a file of spans, and its package needs no gRPC.
	body, err := proto.Marshal(&trace.TracesData{ResourceSpans: spans})
	if err != nil {
		return fmt.Errorf("encode spans: %w", err)
	}
	if c.config.Gzip {
		body = compressed(body)
	}
	for pause := firstPause; ; pause = min(2*pause, maxPause) {
		err := c.post(ctx, body)
		var later *laterError
		if !errors.As(err, &later) {
			return err
		}
		// Many services lose one collector at the same time, and should not all come back at the same time.
		wait := max(later.after, time.Duration((0.5+rand.Float64())*float64(pause)))
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return err
		}
	}
}

// post sends one request. The error is a laterError if the same request may succeed later.
func (c *Client) post(ctx context.Context, body []byte) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.config.URL, bytes.NewReader(body))
	if err != nil {
		return err
	}
	for name, value := range c.config.Headers {
		request.Header.Set(name, value)
	}
	request.Header.Set("Content-Type", "application/x-protobuf")
	if c.config.Gzip {
		request.Header.Set("Content-Encoding", "gzip")
	}
	response, err := c.http.Do(request)
	if err != nil {
		return &laterError{err: fmt.Errorf("send spans: %w", err)}
	}
	defer response.Body.Close() //nolint:errcheck // read only
	answer, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err != nil {
		return fmt.Errorf("read the collector's answer: %w", err)
	}
	return failure(response, answer)
}

// compressed returns data as gzip.
func compressed(data []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	// A buffer takes all that is written.
	_, _ = w.Write(data)
	_ = w.Close()
	return b.Bytes()
}
