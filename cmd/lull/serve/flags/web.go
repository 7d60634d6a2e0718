package flags

import (
	"github.com/spf13/pflag"

	"lull/cmd/lull/help"
	"lull/cmd/lull/serve/service"
)

// WebTLS adds the flags that say how this machine serves outputs and logs.
func WebTLS(f *pflag.FlagSet, w *service.WebTLS) {
	f.StringVar(&w.Cert, "tls-cert", "", "file with this host's certificate, to serve outputs and logs by HTTPS")
	f.StringVar(&w.Key, "tls-key", "", "file with the certificate's key (mode 0600)")
	f.BoolVar(&w.Plain, "plain-http", false, "serve outputs and logs by plain HTTP although NATS uses TLS")
	help.Network.In(f, "tls-cert", "tls-key", "plain-http")
}
