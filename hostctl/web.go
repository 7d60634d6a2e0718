package hostctl

import (
	"net/http"
	"time"

	"lull/hostctl/fileserver"
	"lull/hostctl/kept"
	"lull/hostctl/store"
)

// live is what the file server asks: which attempts run now, and who looks after what is kept.
type live struct {
	*kept.Keeper
	agent *Agent
}

var _ fileserver.Live = live{}

// Running returns the folder of an attempt in the agent's hands, and a channel that is closed
// when the attempt has ended.
func (l live) Running(attempt uint64) (store.Folder, <-chan struct{}, bool) {
	if r := l.agent.run(attempt); r != nil {
		return r.folder, r.done, true
	}
	return store.Folder{}, nil, false
}

func (a *Agent) handler() http.Handler {
	return fileserver.Handler(a.store, live{a.kept, a}, func(t string) bool { return a.tickets.Office.Check(t, time.Now()) })
}
