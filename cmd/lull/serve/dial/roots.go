package dial

import (
	"crypto/x509"
	"fmt"
	"os"

	"lull/cmd/lull/exit"
)

// Roots returns the system's certificate authorities and those of a file. Errors name the flag.
func Roots(flag, path string) (*x509.CertPool, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, exit.With(exit.Usage, fmt.Errorf("%s: %w", flag, err))
	}
	roots, err := x509.SystemCertPool()
	if err != nil {
		roots = x509.NewCertPool()
	}
	if !roots.AppendCertsFromPEM(text) {
		return nil, exit.With(exit.Usage, fmt.Errorf("%s %s holds no certificate in PEM", flag, path))
	}
	return roots, nil
}
