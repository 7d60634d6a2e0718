package observe

import "go.opentelemetry.io/otel/attribute"

// serviceAttributes are OpenTelemetry's names for a service and its version.
func serviceAttributes(service, version string) []attribute.KeyValue {
	return []attribute.KeyValue{
		attribute.String("service.name", service),
		attribute.String("service.version", version),
	}
}
