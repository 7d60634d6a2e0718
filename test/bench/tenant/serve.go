package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
)

// answer is what a request gets: a page of the size of a small API's.
var answer = []byte(strings.Repeat("lull ", 200))

// serve answers requests until its standard input ends.
func serve(args []string) error {
	flags := flag.NewFlagSet("tenant serve", flag.ContinueOnError)
	kind := flags.String("kind", "go", "go, workers or pinned")
	if err := flags.Parse(args); err != nil {
		return err
	}
	rounds := calibrate(request)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println(listener.Addr())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		_ = listener.Close()
	}()
	return serveOn(listener, *kind, rounds)
}

// serveOn answers requests of so many rounds of work until the listener is
// closed.
func serveOn(listener net.Listener, kind string, rounds int) (err error) {
	switch kind {
	case "go":
		err = http.Serve(listener, page(rounds)) //nolint:gosec // its only users are ours
	case "workers", "pinned":
		err = serveByWorkers(listener, rounds, kind == "pinned")
	default:
		return errors.Join(fmt.Errorf("-kind %s: use go, workers or pinned", kind), listener.Close())
	}
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}

func page(rounds int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		work(rounds)
		_, _ = w.Write(answer) // a user that left is no failure of the server
	}
}
