package serve

import (
	"fmt"

	"github.com/spf13/cobra"

	"lull/actors/jetstream"
	"lull/cmd/lull/exit"
	"lull/cmd/lull/serve/flags"
	"lull/subjects"
)

type permissionsFlags struct {
	pool                      string
	hosts, clients, operators []string
}

func permissionsCommand() *cobra.Command {
	var p permissionsFlags
	cmd := &cobra.Command{
		Use: "permissions", Short: "Print a NATS server configuration with a key for each role", Args: flags.NoArgs,
		Long: "Print a configuration of nats-server in which each key may do what its role needs and nothing else:\n" +
			"admission and slotter decide; a host reports about itself; a client submits jobs and changes its own;\n" +
			"an operator changes all jobs, pauses hosts and sets queues; a dashboard reads. docs/security.md has\n" +
			"the details. The server reads the passwords from its environment. Start lull admission with --vouched.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			text, err := p.config()
			if err == nil {
				_, err = fmt.Fprint(cmd.OutOrStdout(), text)
			}
			return err
		},
	}
	cmd.Example = "  lull permissions --host a,b --client ann --operator olga > lull.conf"
	f := cmd.Flags()
	f.StringVar(&p.pool, "pool", string(subjects.DefaultPool), "pool of hosts")
	f.StringSliceVar(&p.hosts, "host", nil, "names of hosts, as in lull agent --name; each gets a key")
	f.StringSliceVar(&p.clients, "client", nil, "users who submit jobs; each gets a key")
	f.StringSliceVar(&p.operators, "operator", nil, "users who may also change others' jobs, hosts and queues; each gets a key")
	return cmd
}

func (p *permissionsFlags) config() (string, error) {
	pool, err := subjects.ParsePool(p.pool)
	if err != nil {
		return "", exit.With(exit.Usage, err)
	}
	keys := []jetstream.Key{{Role: subjects.RoleAdmission}, {Role: subjects.RoleSlotter}, {Role: subjects.RoleClassifier}, {Role: subjects.RolePlacer}}
	for _, of := range []struct {
		role  subjects.Role
		names []string
	}{{subjects.RoleHost, p.hosts}, {subjects.RoleClient, p.clients}, {subjects.RoleOperator, p.operators}} {
		for _, name := range of.names {
			keys = append(keys, jetstream.Key{Role: of.role, Name: name})
		}
	}
	accounts, err := jetstream.Accounts(pool, append(keys, jetstream.Key{Role: subjects.RoleDashboard}))
	if err != nil {
		return "", exit.With(exit.Usage, err)
	}
	return permissionsHead + accounts, nil
}

const permissionsHead = `# A NATS server of your own, with a key for each role: the output of
#   lull permissions --host HOST,… --client USER,… --operator USER,…
# Passwords come from the environment of the server. A process gets its key from a file
# of mode 0600 with USER:PASSWORD, such as host-a:PASSWORD, named by --token-file or
# LULL_TOKEN_FILE. These permissions fix each key's user: start lull admission with
# --vouched, or names count as claims and every client may change every job.
#
#   nats-server -c lull.conf

port: 4222
max_payload: 1MB
jetstream {
  store_dir: "/var/lib/nats"
  # An acknowledged submission survives a power cut.
  sync_interval: always
  # Each message that waits for a stream costs a sync of the disk, so few may wait.
  max_buffered_msgs: 1024
}

`
