package dial

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/spf13/pflag"

	"lull/cmd/lull/exit"
)

func secretFile(t *testing.T, text string, mode os.FileMode) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil { // regardless of the umask
		t.Fatal(err)
	}
	return path
}

func TestSecretsAreReadFromFilesAndTheEnvironmentOnly(t *testing.T) {
	token, user := secretFile(t, "s3cret\n", 0o600), secretFile(t, "ann:s3cret", 0o400)
	open, empty := secretFile(t, "s3cret", 0o644), secretFile(t, "\n", 0o600)
	for _, c := range []struct {
		name        string
		args        []string
		env         map[string]string
		token, user string
		refused     string // a part of the message
	}{
		{name: "nothing"},
		{name: "argument", args: []string{"--token", "s3cret"}, refused: "--token-file"},
		{name: "argument with =", args: []string{"--token=s3cret"}, refused: "/proc/*/cmdline"},
		{name: "address", args: []string{"--nats", "nats://s3cret@h:4222"}, refused: "$LULL_NATS"},
		{name: "address with a password", args: []string{"--nats", "nats://h,nats://ann:s3cret@h:4222"}, refused: "--token-file"},
		{name: "file", args: []string{"--token-file", token}, token: "s3cret"},
		{name: "user and password", args: []string{"--token-file", user}, user: "ann"},
		{name: "environment", env: map[string]string{"LULL_TOKEN": "s3cret"}, token: "s3cret"},
		{name: "file of the environment", env: map[string]string{"LULL_TOKEN_FILE": token}, token: "s3cret"},
		{name: "address of the environment", env: map[string]string{"LULL_NATS": "nats://s3cret@h:4222"}},
		{name: "open file", args: []string{"--token-file", open}, refused: "chmod 600"},
		{name: "open credentials", args: []string{"--creds", open}, refused: "chmod 600"},
		{name: "empty file", args: []string{"--token-file", empty}, refused: "one line"},
		{name: "no file", args: []string{"--token-file", empty + "-"}, refused: "no such file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, name := range []string{"LULL_TOKEN", "LULL_TOKEN_FILE", "LULL_NATS", "LULL_CREDS"} {
				t.Setenv(name, c.env[name])
			}
			var s Server
			f := pflag.NewFlagSet("test", pflag.ContinueOnError)
			s.Flags(f)
			if err := f.Parse(c.args); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(f.FlagUsages(), "s3cret") {
				t.Errorf("FlagUsages() = %q, want it without the secret", f.FlagUsages())
			}
			options, err := s.Options()
			if c.refused != "" {
				if err == nil || exit.Code(err) != exit.Usage || !strings.Contains(err.Error(), c.refused) || strings.Contains(err.Error(), "s3cret") {
					t.Fatalf("Options() = %v (exit code %d), want a usage error with %q and without the secret", err, exit.Code(err), c.refused)
				}
				return
			}
			got := nats.GetDefaultOptions()
			for _, option := range options {
				err = errors.Join(err, option(&got))
			}
			if err != nil || got.Token != c.token || got.User != c.user {
				t.Errorf("token = %q, user = %q (%v), want %q, %q", got.Token, got.User, err, c.token, c.user)
			}
		})
	}
}
