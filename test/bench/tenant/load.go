package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"os"
	"runtime"
	"runtime/debug"
)

// load fulfils orders until its standard input ends.
func load(args []string) error {
	if len(args) != 1 {
		return errors.New("use: tenant load ADDRESS")
	}
	to, err := netip.ParseAddrPort(args[0])
	if err != nil {
		return fmt.Errorf("address of the server: %w", err)
	}
	runtime.LockOSThread()
	debug.SetGCPercent(-1) // a pause of ours would be taken for the server's
	in, out := json.NewDecoder(bufio.NewReader(os.Stdin)), json.NewEncoder(os.Stdout)
	for {
		var o Order
		if err := in.Decode(&o); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("order: %w", err)
		}
		result, err := fulfil(o, to)
		if err == nil {
			err = out.Encode(result)
		}
		if err != nil {
			return err
		}
		runtime.GC()
	}
}
