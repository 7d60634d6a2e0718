package dial

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"lull/cmd/lull/exit"
)

// Secret is a secret from a file or the environment. Arguments are visible in
// /proc/*/cmdline, which every task on the machine can read.
type Secret struct {
	value string // from the environment
	file  string
	wrong error // of the arguments
}

// Flags adds --token-file, and a hidden --token that refuses its value with advice.
func (s *Secret) Flags(f *pflag.FlagSet, what string) {
	s.value = os.Getenv("LULL_TOKEN")
	f.StringVar(&s.file, "token-file", os.Getenv("LULL_TOKEN_FILE"), "file with "+what+" ($LULL_TOKEN_FILE; or the token in $LULL_TOKEN)")
	f.Var(&secretFreeFlag{s: s, check: func(string) error {
		return errors.New("--token TOKEN would show the token to every task on this machine (/proc/*/cmdline): " +
			"put it into a file of mode 0600 and use --token-file FILE or $LULL_TOKEN_FILE, or into $LULL_TOKEN")
	}}, "token", "refused: use --token-file")
	_ = f.MarkHidden("token") // cannot fail: the flag exists
}

// Read returns the secret, "" for none. The error has the exit code of a wrong command line.
func (s *Secret) Read() (string, error) {
	if s.wrong != nil || s.file == "" {
		return s.value, s.wrong
	}
	if err := CheckPrivate(s.file); err != nil {
		return "", err
	}
	body, err := os.ReadFile(s.file)
	if err != nil {
		return "", exit.With(exit.Usage, fmt.Errorf("--token-file: %w", err))
	}
	secret := strings.TrimSpace(string(body))
	if secret == "" || strings.ContainsAny(secret, "\r\n") {
		return "", exit.With(exit.Usage, fmt.Errorf("--token-file %s: it has to hold one line, the token or USER:PASSWORD", s.file))
	}
	return secret, nil
}

// Files returns the files with the secrets that s was given, none if there are none.
func (s *Secret) Files() []string {
	if s.file == "" {
		return nil
	}
	return []string{s.file}
}

// CheckPrivate refuses a file with a secret that every user of the machine may read.
func CheckPrivate(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return exit.With(exit.Usage, fmt.Errorf("the file with the secret: %w", err))
	}
	if info.Mode().Perm()&0o007 != 0 {
		return exit.With(exit.Usage, fmt.Errorf("%s is open to every user of this machine, tasks included (mode %04o): chmod 600 %s", path, info.Mode().Perm(), path))
	}
	return nil
}

// secretFreeFlag is a flag that takes no secret. It remembers the refusal instead of
// returning it, because the library would print the argument with it.
type secretFreeFlag struct {
	s     *Secret
	into  *string // nil for nothing
	check func(string) error
}

func (r *secretFreeFlag) Set(value string) error {
	if err := r.check(value); err != nil {
		r.s.wrong = exit.With(exit.Usage, err)
		return nil
	}
	*r.into = value
	return nil
}

func (r *secretFreeFlag) Type() string { return "string" }

func (r *secretFreeFlag) String() string {
	if r.into == nil || strings.Contains(*r.into, "@") {
		return "" // help texts show it
	}
	return *r.into
}

// refuseCredentials refuses an address with a user, a password or a token in it.
func refuseCredentials(url string) error {
	if !strings.Contains(url, "@") {
		return nil
	}
	return errors.New("--nats with a token or password in it would show that to every task on this machine (/proc/*/cmdline): " +
		"name the server alone, and put the token or USER:PASSWORD into a file of mode 0600 for --token-file, or all of it into $LULL_NATS")
}
