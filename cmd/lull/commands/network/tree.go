package network

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"lull/client"
	"lull/cmd/lull/commands/listing"
	"lull/subjects"
	"lull/subjects/humane"
	"lull/subjects/ledger"
)

// noTopology says what to do where nothing is known of the network.
const noTopology = "The pool's network is unknown, so no job is placed. Describe it with lull topology set FILE (see lull topology set --help)."

func (t *topology) show(cmd *cobra.Command) error {
	c, view, err := t.View(cmd.Context())
	if err != nil {
		return err
	}
	defer c.Close()
	network := view.State.Network
	if network == nil {
		if t.format == listing.JSON {
			return listing.Object(cmd.OutOrStdout(), neverNull(subjects.LinksAnswer{}))
		}
		_, err = fmt.Fprintln(t.Out(cmd), noTopology)
		return err
	}
	links, err := c.Links(cmd.Context(), t.hosts)
	silent := errors.Is(err, client.ErrNoPlacer)
	if err != nil && !silent {
		return err
	}
	if silent {
		links = declared(network)
	}
	if t.format == listing.JSON {
		return listing.Object(cmd.OutOrStdout(), neverNull(*links))
	}
	_, err = fmt.Fprint(t.Out(cmd), draw(links, silent))
	if err == nil && network.By.By() != "" {
		_, err = fmt.Fprintf(t.Out(cmd), "Set by %s, %s.\n", network.By.By(), humane.Stamp(humane.Unix(network.At).Local()))
	}
	return err
}

// neverNull makes empty lists of missing ones, so that programs find a list in every field.
func neverNull(l subjects.LinksAnswer) subjects.LinksAnswer {
	for _, links := range []*[]subjects.LinkLine{&l.Racks, &l.Above, &l.Hosts} {
		*links = append([]subjects.LinkLine{}, *links...)
	}
	l.Missing = append([]subjects.LeftOut{}, l.Missing...)
	return l
}

// declared returns a network as it was described, for when no service says what its links have left.
func declared(n *ledger.Network) *subjects.LinksAnswer {
	l := &subjects.LinksAnswer{}
	line := func(w subjects.WiredLink, under string) subjects.LinkLine {
		return subjects.LinkLine{Name: w.Name, Under: under, Up: w.Up, Down: w.Down, UpLeft: w.Up, DownLeft: w.Down}
	}
	for _, s := range n.Above {
		l.Above = append(l.Above, line(s, ""))
	}
	for _, r := range n.Racks {
		l.Racks = append(l.Racks, line(r.WiredLink, r.Above))
	}
	return l
}

// draw draws the tree from the core down.
func draw(l *subjects.LinksAnswer, silent bool) string {
	var b strings.Builder
	b.WriteString("core\n")
	under := func(name string) (nodes []node) {
		for i := range l.Racks {
			if r := &l.Racks[i]; r.Under == name {
				nodes = append(nodes, rackNode(l, r))
			}
		}
		return nodes
	}
	var top []node
	for i := range l.Above {
		top = append(top, node{link: &l.Above[i], below: under(l.Above[i].Name)})
	}
	top = append(top, under("")...)
	write(&b, "", top, silent)
	if n := len(l.Missing); n > 0 {
		why := map[string]int{}
		var order []string
		for _, m := range l.Missing {
			if why[m.Why]++; why[m.Why] == 1 {
				order = append(order, m.Why)
			}
		}
		for _, text := range order {
			fmt.Fprintf(&b, "Left out: %s, because %s.\n", humane.Count(why[text], "host"), text)
		}
	}
	if silent {
		b.WriteString("No placer answers: what links have left is unknown. Start one with lull placer.\n")
	}
	return b.String()
}

type node struct {
	link  *subjects.LinkLine
	below []node
}

func rackNode(l *subjects.LinksAnswer, r *subjects.LinkLine) node {
	n := node{link: r}
	for i := range l.Hosts {
		if l.Hosts[i].Under == r.Name {
			n.below = append(n.below, node{link: &l.Hosts[i]})
		}
	}
	return n
}

func write(b *strings.Builder, indent string, nodes []node, silent bool) {
	width := 0
	for _, n := range nodes {
		width = max(width, len(n.link.Name))
	}
	for i, n := range nodes {
		branch, next := "├─ ", "│  "
		if i == len(nodes)-1 {
			branch, next = "└─ ", "   "
		}
		fmt.Fprintf(b, "%s%s%-*s  %s\n", indent, branch, width, n.link.Name, rates(n.link, silent))
		write(b, indent+next, n.below, silent)
	}
}

// rates says what a link has, and what it has left.
func rates(l *subjects.LinkLine, silent bool) string {
	text := "up " + bits(l.Up) + ", down " + bits(l.Down)
	for _, learnt := range []struct {
		way  string
		rate float64
	}{{"up", l.UpLearnt}, {"down", l.DownLearnt}} {
		if learnt.rate > 0 {
			text += fmt.Sprintf("; shuffles had %s %s at most", learnt.way, bits(learnt.rate))
		}
	}
	if !silent {
		text += fmt.Sprintf("; left up %s (%s), down %s (%s)", bits(l.UpLeft), humane.Percent(l.UpLeft/l.Up), bits(l.DownLeft), humane.Percent(l.DownLeft/l.Down))
	}
	if l.UpPromised > 0 || l.DownPromised > 0 {
		text += fmt.Sprintf("; promised up %s, down %s", bits(l.UpPromised), bits(l.DownPromised))
	}
	if l.Hosts > 0 {
		text += "; " + humane.Count(int(l.Hosts), "host")
	}
	return text
}

// bits writes a rate as the sellers of switches do.
func bits(bytes float64) string {
	rate, units := 8*bytes, []string{"bit/s", "kbit/s", "Mbit/s", "Gbit/s"}
	i := 0
	for ; rate >= 999.5 && i < len(units)-1; i++ {
		rate /= 1000
	}
	return strings.TrimSuffix(fmt.Sprintf("%.1f", rate), ".0") + " " + units[i]
}
