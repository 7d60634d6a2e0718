package serve

import (
	"context"

	"github.com/spf13/cobra"

	"lull/actors/jetstream"
	"lull/cmd/lull/serve/flags"
	"lull/cmd/lull/serve/service"
	"lull/placer"
	"lull/subjects"
)

func placerCommand() *cobra.Command {
	a := &singleService{memory: new(flags.Memory), name: "placer", mustPublish: leads(subjects.RolePlacer), make: func(_ context.Context, bus *jetstream.Bus, s service.Shared) (service.Service, error) {
		return service.NewPlacer(bus, s, placer.Config{})
	}}
	return a.command("Run the service that chooses hosts for jobs that move data",
		"Run the service that chooses hosts for jobs whose stages exchange data, by what the links\n"+
			"between racks have left. It needs to know the network: lull topology set. A pool without\n"+
			"it runs, and gives such jobs any host.\n"+replicas)
}
