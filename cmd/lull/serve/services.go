package serve

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"lull/actors/jetstream"
	"lull/admission"
	"lull/cmd/lull/exit"
	"lull/cmd/lull/help"
	"lull/cmd/lull/serve/flags"
	"lull/cmd/lull/serve/folder"
	"lull/cmd/lull/serve/service"
	"lull/cmd/lull/serve/volume"
	"lull/cmd/lull/serve/vouch"
	"lull/hostctl"
	"lull/slotter"
	"lull/subjects"
)

const replicas = "Start several for availability: one leads, and when it dies another takes over within\n" +
	"seconds. Without NATS the service waits, and continues when NATS is back."

func admissionCommand() *cobra.Command {
	var (
		mode    string
		vouched vouch.Flag
	)
	a := &singleService{memory: new(flags.Memory), name: "admission", mustPublish: leads(subjects.RoleAdmission), make: func(ctx context.Context, bus *jetstream.Bus, s service.Shared) (service.Service, error) {
		if err := vouched.Check(ctx, bus.Conn(), s.Pool, s.Log); err != nil {
			return service.Service{}, err
		}
		return service.NewAdmission(bus, s, admission.Config{Mode: mode, Vouched: vouched.On})
	}}
	a.check = func() error { return vouched.Wrong }
	cmd := a.command("Run the service that admits or rejects jobs", "Run the service that admits or rejects jobs.\n"+replicas)
	flags.AdmissionMode(cmd.Flags(), &mode)
	vouched.Add(cmd.Flags())
	return cmd
}

func slotterCommand() *cobra.Command {
	var cfg slotter.Config
	a := &singleService{memory: new(flags.Memory), name: "slotter", mustPublish: leads(subjects.RoleSlotter), make: func(_ context.Context, bus *jetstream.Bus, s service.Shared) (service.Service, error) {
		return service.NewSlotter(bus, s, cfg)
	}}
	a.check = func() error {
		if cfg.Silence < time.Second {
			return exit.With(exit.Usage, fmt.Errorf("--silence %v: hosts send heartbeats once a second, use more than that", cfg.Silence))
		}
		return nil
	}
	cmd := a.command("Run the service that gives slots to tasks", "Run the service that gives slots to tasks.\n"+replicas)
	flags.Policy(cmd.Flags(), &cfg.Policy)
	flags.DataNodes(cmd.Flags(), &cfg.DataNodes)
	flags.Queues(cmd.Flags(), &cfg)
	flags.Steer(cmd.Flags(), &cfg)
	flags.AwaitPlacer(cmd.Flags(), &cfg.AwaitPlacer)
	cmd.Flags().DurationVar(&cfg.Silence, "silence", 15*time.Second, "how long a host may be silent before its tasks run elsewhere")
	forgetFlag(cmd.Flags(), &cfg.Forget)
	return cmd
}

// leads returns the subject of a service's terms.
func leads(role subjects.Role) func(subjects.Pool) string {
	return func(p subjects.Pool) string { return p.Led(string(role), subjects.WholePool) }
}

// forgetFlag adds the time after which the slotter gives up a host that is away.
func forgetFlag(f *pflag.FlagSet, forget *time.Duration) {
	f.DurationVar(forget, "forget-host", 7*24*time.Hour, "how long a host may be away before it is given up: its attempts end, and lull hosts no longer lists it; negative: for ever (lull hosts forget HOST does it now)")
}

func agentCommand() *cobra.Command {
	var (
		host flags.Host
		data string
	)
	a := &singleService{name: "agent", openPool: jetstream.Attach}
	a.mustPublish = func(p subjects.Pool) string {
		cfg := host.Config
		cfg.Fill()
		return p.Joined(cfg.Name)
	}
	a.check = func() error {
		if err := host.Config.Web.Check(); err != nil {
			return err
		}
		host.Config.Web.CA, host.Config.Secrets = a.server.CA, a.server.Files()
		cfg, err := host.Complete()
		if err != nil {
			return err
		}
		return errors.Join(cfg.CheckTaskUser(data), cfg.CheckSecrets(data), volume.Check(data, volume.Continue))
	}
	a.beforeConnect = func(s service.Shared) error {
		return hostctl.Recover(hostctl.Config{Host: host.Config.Name, Data: service.AgentFolder(data)}, s.Pool)
	}
	a.make = func(_ context.Context, bus *jetstream.Bus, s service.Shared) (service.Service, error) {
		service.KeepHeapSmall()
		cfg, err := host.Complete()
		if err != nil {
			return service.Service{}, err
		}
		return service.NewAgent(bus, bus, s, cfg, data)
	}
	cmd := a.command("Run tasks on this host, and its monitor",
		"Run the tasks that the pool gives to this machine, in the background class, and\n"+
			"report what the machine uses. When the agent stops, tasks keep running, and the next\n"+
			"agent adopts them, unless --stay=false. In a pool of several machines each needs\n"+
			"--advertise and a name of its own.")
	cmd.Example = "  lull agent --nats nats://server:4222 --token-file /etc/lull/token --advertise host-7:7000\n" +
		"  lull agent --nats nats://server:4222 --advertise host-7:7000 --labels gpu=yes,zone=a --slots 6"
	f := cmd.Flags()
	host.Flags(f)
	f.StringVar(&data, "data", folder.Default(), "data folder ($LULL_DATA)")
	f.StringVar(&host.Config.Advertise, "advertise", "", "host:port at which other hosts reach this one, to fetch outputs")
	f.StringVar(&host.Config.Listen, "listen", "", "address to listen at for --advertise (default its port on every address)")
	help.Network.In(f, "advertise", "listen")
	flags.WebTLS(f, &host.Config.Web)
	f.BoolVar(&host.Config.Stay, "stay", true, "leave tasks running when the agent stops; the next agent adopts them")
	return cmd
}

func monitorCommand() *cobra.Command {
	var (
		host service.HostConfig
		data string
	)
	a := &singleService{name: "monitor", openPool: jetstream.Attach, make: func(_ context.Context, bus *jetstream.Bus, s service.Shared) (service.Service, error) {
		service.KeepHeapSmall()
		host.Fill()
		return service.NewMonitor(bus, s, host.Name, data)
	}}
	a.mustPublish = func(p subjects.Pool) string {
		cfg := host
		cfg.Fill()
		return p.Joined(cfg.Name) // needs the same key as telemetry, and services would receive a trial message of that
	}
	cmd := a.command("Report what this host uses, without running tasks",
		"Report the CPU, memory and disk that this machine uses, without running tasks on it.\n"+
			"`lull agent` does both.")
	cmd.Flags().StringVar(&host.Name, "name", "", "name of this host in the pool (default the machine's name)")
	cmd.Flags().StringVar(&data, "data", "/", "a path on the disk of which the free space is reported")
	return cmd
}
