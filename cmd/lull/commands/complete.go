package commands

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"lull/cmd/lull/client"
	"lull/subjects/ledger"
)

// completeWithin is how long a press of the tab key may take. A pool that is
// not there completes nothing and says nothing.
const completeWithin = 2 * time.Second

type completion = func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective)

// completeJobs completes the ids of jobs that wanted leaves, newest first; nil
// leaves all.
func (h *house) completeJobs(wanted func(*ledger.Job) bool) completion {
	return h.complete(func(s *ledger.State) []cobra.Completion {
		var ids []cobra.Completion
		for j := range s.Jobs().Backward() {
			if wanted == nil || wanted(j) {
				ids = append(ids, cobra.CompletionWithDesc(j.ID, j.Phase.String()))
			}
		}
		return ids
	})
}

// completeHosts completes the names of hosts.
func (h *house) completeHosts() completion {
	return h.complete(func(s *ledger.State) []cobra.Completion {
		var names []cobra.Completion
		for _, host := range s.Hosts() {
			names = append(names, cobra.CompletionWithDesc(host.Name, host.State()))
		}
		return names
	})
}

func (h *house) complete(list func(*ledger.State) []cobra.Completion) completion {
	return func(cmd *cobra.Command, _ []string, prefix string) ([]cobra.Completion, cobra.ShellCompDirective) {
		done := make(chan []cobra.Completion, 1)
		ctx, cancel := context.WithTimeout(context.Background(), completeWithin)
		defer cancel()
		go func() {
			c, view, err := h.view(ctx)
			if err != nil {
				done <- nil
				return
			}
			defer c.Close()
			done <- begin(list(view.State), prefix)
		}()
		select {
		case found := <-done:
			return found, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
		case <-ctx.Done():
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
	}
}

func begin(all []cobra.Completion, prefix string) []cobra.Completion {
	var some []cobra.Completion
	for _, c := range all {
		if strings.HasPrefix(c, prefix) {
			some = append(some, c)
		}
	}
	return some
}

// completeStages completes the stages of the job that the arguments name.
func (h *house) completeStages(cmd *cobra.Command, args []string, prefix string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return h.complete(func(s *ledger.State) []cobra.Completion {
		if len(args) == 0 {
			return nil
		}
		j, err := client.Find(s, args[0])
		if err != nil {
			return nil
		}
		var names []cobra.Completion
		for _, st := range j.Spec.Stages {
			names = append(names, st.Name)
		}
		return names
	})(cmd, args, prefix)
}
