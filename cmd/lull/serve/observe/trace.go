package observe

import (
	"context"
	"fmt"
	"os"

	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
)

// Tracing returns a provider of tracers for a service, and a function that ends it. Spans go to
// $OTEL_EXPORTER_OTLP_ENDPOINT, or nowhere if that is not set. Trace
// contexts are passed on in either case. The exporter reads the other OTEL_
// variables itself.
func Tracing(ctx context.Context, service, version string) (trace.TracerProvider, func(context.Context) error, error) {
	if os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT") == "" && os.Getenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") == "" {
		return noop.NewTracerProvider(), func(context.Context) error { return nil }, nil
	}
	exporter, err := otlptracehttp.New(ctx)
	if err != nil {
		return nil, nil, fmt.Errorf("set up traces (OTEL_EXPORTER_OTLP_ENDPOINT): %w", err)
	}
	about, err := resource.New(ctx, resource.WithAttributes(serviceAttributes(service, version)...),
		resource.WithHost(), resource.WithProcessPID(), resource.WithFromEnv())
	if err != nil {
		return nil, nil, fmt.Errorf("describe this process for traces: %w", err)
	}
	provider := sdk.NewTracerProvider(sdk.WithBatcher(exporter), sdk.WithResource(about))
	return provider, provider.Shutdown, nil
}
