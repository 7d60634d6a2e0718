package wired

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// The network: racks behind uplinks, in Mbit/s each way, and hosts with NICs.
const racks = 4

var uplinks = [racks]int{160, 80, 40, 40}

const (
	perRack = 3
	nic     = 1000            // Mbit/s
	subnet  = "198.18.7."     // of a range that is reserved for benchmarks (RFC 2544)
	prefix  = "lull-live-"    // of namespaces, followed by the process id
	near    = "lll"           // of the interface outside of them, likewise
	queue   = "latency 50ms"  // of the shaped links
	burst   = "burst 131072b" // at least what a kernel sends at once
)

// unable says why this machine cannot make the network, "" if it can.
func unable() string {
	if os.Geteuid() != 0 {
		return "it needs root, to make network namespaces"
	}
	for _, tool := range []string{"ip", "tc", "nsenter", "unshare", "chrt"} {
		if _, err := exec.LookPath(tool); err != nil {
			return fmt.Sprintf("it needs %s in the PATH (packages iproute2, util-linux)", tool)
		}
	}
	return ""
}

// network is a set of namespaces.
type network struct {
	id    int
	spans []string // namespaces to remove
}

// rackName is the value of the label rack= of a rack's hosts.
func rackName(rack int) string { return fmt.Sprintf("r%d", rack+1) }

// build makes the network. After an error nothing is left of it.
func build(ctx context.Context) (n *network, err error) {
	sweep(ctx)
	n = &network{id: os.Getpid()}
	defer func() {
		if err != nil {
			n.remove()
		}
	}()
	if err = n.addNamespace(ctx, n.core()); err != nil {
		return n, err
	}
	if err = n.root(ctx); err != nil {
		return n, err
	}
	for rack := range uplinks {
		if err = n.rack(ctx, rack); err != nil {
			return n, err
		}
	}
	return n, nil
}

// core is the namespace of the bridges.
func (n *network) core() string { return fmt.Sprintf("%s%d-core", prefix, n.id) }

// host is the namespace of a host.
func (n *network) host(h int) string { return fmt.Sprintf("%s%d-h%02d", prefix, n.id, h) }

func (n *network) outside() string { return fmt.Sprint(near, n.id) }

func (n *network) addNamespace(ctx context.Context, name string) error {
	if err := command(ctx, "ip netns add "+name); err != nil {
		return err
	}
	n.spans = append(n.spans, name)
	return nil
}

// root connects the core bridge with this namespace.
func (n *network) root(ctx context.Context) error {
	in := "ip -n " + n.core() + " "
	return command(ctx,
		in+"link add core type bridge",
		in+"link set core up",
		"ip link add "+n.outside()+" type veth peer name root netns "+n.core(),
		in+"link set root master core up",
		"ip addr add "+subnet+"1/24 dev "+n.outside(),
		"ip link set "+n.outside()+" up")
}

// rack makes a rack's bridge with its uplink, and its hosts.
func (n *network) rack(ctx context.Context, rack int) error {
	in := "ip -n " + n.core() + " "
	bridge, up, down := fmt.Sprint("rack", rack), upName(rack), fmt.Sprint("down", rack)
	err := command(ctx,
		in+"link add "+bridge+" type bridge",
		in+"link set "+bridge+" up",
		in+"link add "+up+" type veth peer name "+down,
		in+"link set "+up+" master "+bridge+" up",
		in+"link set "+down+" master core up",
		n.shape(n.core(), up, uplinks[rack]),
		n.shape(n.core(), down, uplinks[rack]))
	for i := 0; i < perRack && err == nil; i++ {
		err = n.cable(ctx, rack*perRack+i, bridge)
	}
	return err
}

// cable makes a host's namespace and connects it with its rack.
func (n *network) cable(ctx context.Context, h int, bridge string) error {
	if err := n.addNamespace(ctx, n.host(h)); err != nil {
		return err
	}
	at := "ip -n " + n.host(h) + " "
	port := fmt.Sprint("port", h)
	return command(ctx,
		"ip -n "+n.core()+" link add "+port+" type veth peer name eth0 netns "+n.host(h),
		"ip -n "+n.core()+" link set "+port+" master "+bridge+" up",
		at+"addr add "+address(h)+"/24 dev eth0",
		at+"link set eth0 up",
		at+"link set lo up",
		// Linux's usual congestion control, whatever this machine's kernel defaults to.
		at+"route replace "+subnet+"0/24 dev eth0 congctl cubic",
		n.shape(n.core(), port, nic),
		n.shape(n.host(h), "eth0", nic))
}

// shape is the command that limits what leaves by an interface.
func (n *network) shape(space, dev string, mbit int) string {
	return fmt.Sprintf("tc -n %s qdisc add dev %s root tbf rate %dmbit %s %s", space, dev, mbit, burst, queue)
}

func upName(rack int) string { return fmt.Sprint("up", rack) }

func address(h int) string { return fmt.Sprint(subnet, 10+h) }

// remove takes the network apart. Interfaces go with their namespaces.
func (n *network) remove() {
	for _, name := range n.spans {
		_ = command(context.Background(), "ip netns del "+name)
	}
	_ = command(context.Background(), "ip link del "+n.outside()) // it may have gone with its peer
}

// sweep removes the networks of runs that were killed.
func sweep(ctx context.Context) {
	for pattern, del := range map[string]string{"/run/netns/" + prefix + "*": "ip netns del ", "/sys/class/net/" + near + "*": "ip link del "} {
		left, _ := filepath.Glob(pattern)
		for _, path := range left {
			name := filepath.Base(path)
			pid, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(name, prefix), near), "-")
			if _, err := os.Stat("/proc/" + pid); errors.Is(err, fs.ErrNotExist) {
				_ = command(ctx, del+name)
			}
		}
	}
}

// command runs command lines without quotes, one after the other.
func command(ctx context.Context, lines ...string) error {
	for _, line := range lines {
		words := strings.Fields(line)
		if out, err := exec.CommandContext(ctx, words[0], words[1:]...).CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w: %s", line, err, out)
		}
	}
	return nil
}
