package otlp

import (
	"encoding/pem"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const prefix = "OTEL_EXPORTER_OTLP_"

// vars returns a lookup of variables, named without their common prefix.
func vars(pairs ...string) func(string) string {
	return func(name string) string {
		for i := 0; i < len(pairs); i += 2 {
			if prefix+pairs[i] == name {
				return pairs[i+1]
			}
		}
		return ""
	}
}

func TestTheURLFollowsTheSpecification(t *testing.T) {
	for _, c := range []struct{ variable, value, want string }{
		{"ENDPOINT", "http://c:4318", "http://c:4318/v1/traces"},
		{"ENDPOINT", "https://c/base/", "https://c/base/v1/traces"},
		{"TRACES_ENDPOINT", "http://c:4318/in", "http://c:4318/in"},
		{"TRACES_ENDPOINT", "http://c:4318", "http://c:4318/"},
	} {
		config, err := ConfigFrom(vars(c.variable, c.value))
		if err != nil || config.URL != c.want {
			t.Errorf("%s=%s: URL %q (%v), want %q", c.variable, c.value, config.URL, err, c.want)
		}
	}
	config, err := ConfigFrom(vars("ENDPOINT", "http://all", "TRACES_ENDPOINT", "http://traces/x"))
	if err != nil || config.URL != "http://traces/x" {
		t.Errorf("with both endpoints: URL %q (%v), want that for traces", config.URL, err)
	}
}

func TestVariablesSetTheirFields(t *testing.T) {
	config, err := ConfigFrom(vars("ENDPOINT", "http://c", "HEADERS", "api-key=a%20b, x = y", "COMPRESSION", "gzip",
		"TIMEOUT", "9", "TRACES_TIMEOUT", "250", "PROTOCOL", "http/protobuf"))
	if err != nil {
		t.Fatal(err)
	}
	if config.Headers["api-key"] != "a b" || config.Headers["x"] != "y" || !config.Gzip || config.Timeout != 250*time.Millisecond {
		t.Errorf("config = %+v, want two headers, gzip and 250ms", config)
	}
	if config, err := ConfigFrom(vars("ENDPOINT", "http://c")); err != nil || config.Timeout != 10*time.Second || config.Gzip {
		t.Errorf("config without more = %+v (%v), want 10s without gzip", config, err)
	}
}

func TestAMistakeIsNamedByItsVariable(t *testing.T) {
	for _, c := range []struct{ variable, value string }{
		{"ENDPOINT", "collector:4318"}, {"TRACES_ENDPOINT", "ftp://c"}, {"PROTOCOL", "grpc"}, {"TRACES_PROTOCOL", "http/json"},
		{"HEADERS", "secret"}, {"HEADERS", "a=%zz"}, {"COMPRESSION", "zstd"}, {"TIMEOUT", "10s"}, {"TIMEOUT", "0"},
		{"CERTIFICATE", "/no/such.pem"}, {"TRACES_CLIENT_KEY", "/no/such.pem"},
	} {
		_, err := ConfigFrom(vars(c.variable, c.value, "ENDPOINT", "http://c"))
		if err == nil || !strings.Contains(err.Error(), prefix+c.variable) {
			t.Errorf("%s=%s: error %v, want one that names the variable", c.variable, c.value, err)
		}
		if err != nil && c.variable == "HEADERS" && strings.Contains(err.Error(), "secret") {
			t.Errorf("the error shows what a header holds: %v", err)
		}
	}
}

func TestACollectorsCertificateIsTrusted(t *testing.T) {
	server := httptest.NewTLSServer(nil)
	defer server.Close()
	path := filepath.Join(t.TempDir(), "ca.pem")
	cert := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	if err := os.WriteFile(path, cert, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, certificate := range []string{path, ""} {
		config, err := ConfigFrom(vars("TRACES_ENDPOINT", server.URL, "CERTIFICATE", certificate))
		if err != nil {
			t.Fatal(err)
		}
		client := NewClient(config)
		response, err := client.http.Get(config.URL)
		if err == nil {
			_ = response.Body.Close()
		}
		if (err == nil) != (certificate != "") {
			t.Errorf("certificate %q: error %v; want none only with the collector's", certificate, err)
		}
	}
}
