package observe_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"lull/cmd/lull/serve/observe"
)

func TestSpansGoWhereTheEnvironmentSays(t *testing.T) {
	paths := make(chan string, 1)
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case paths <- r.URL.Path:
		default:
		}
	}))
	defer collector.Close()
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.URL)
	traces, end, err := observe.Tracing(t.Context(), "lull-test", "v0")
	if err != nil {
		t.Fatal(err)
	}
	_, span := traces.Tracer("test").Start(t.Context(), "append")
	span.End()
	if err := end(t.Context()); err != nil {
		t.Fatal(err)
	}
	if path := <-paths; path != "/v1/traces" {
		t.Errorf("path of the collector's request = %s, want /v1/traces", path)
	}
}

func TestWithoutAnEndpointNothingIsRecorded(t *testing.T) {
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "")
	t.Setenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "")
	traces, end, err := observe.Tracing(t.Context(), "lull-test", "v0")
	if err != nil {
		t.Fatal(err)
	}
	_, span := traces.Tracer("test").Start(t.Context(), "append")
	if span.IsRecording() {
		t.Error("IsRecording() without an exporter = true, want false")
	}
	if err := end(t.Context()); err != nil {
		t.Error(err)
	}
}
