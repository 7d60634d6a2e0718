package hostctl

import "errors"

func agentMain(string, string) error { return errors.New("not yet") }
