package serve

import (
	"context"

	"github.com/spf13/cobra"

	"lull/actors/jetstream"
	"lull/classifier"
	"lull/cmd/lull/serve/flags"
	"lull/cmd/lull/serve/service"
	"lull/subjects"
)

func classifierCommand() *cobra.Command {
	var cfg classifier.Config
	a := &singleService{memory: new(flags.Memory), name: "classifier", mustPublish: leads(subjects.RoleClassifier), make: func(_ context.Context, bus *jetstream.Bus, s service.Shared) (service.Service, error) {
		return service.NewClassifier(bus, s, cfg)
	}}
	cmd := a.command("Run the service that learns classes of tenants",
		"Run the service that learns from the history of usage what classes of tenants the pool\n"+
			"has: once a day, when asked by lull classify, and when a tenant's usage changes. A pool\n"+
			"without it runs, and knows no classes.\n"+replicas)
	flags.Peak(cmd.Flags(), &cfg.Max)
	return cmd
}
