package contain

import "fmt"

// Line is one bound for people: how it is drawn, or what its absence costs.
type Line struct {
	Bound   string `json:"bound"`
	Present bool   `json:"present"`
	Text    string `json:"text"`
}

// Lines describes every bound, in a fixed order.
func (p Policy) Lines() []Line {
	return []Line{p.fence(), p.reading(), p.signals(), p.user(), p.privileges()}
}

func (p Policy) off(bound, cost string) Line {
	return Line{bound, false, fmt.Sprintf("off by contain=%s: %s", p.Mode, cost)}
}

func (p Policy) fence() Line {
	const bound, cost = "write fence", "tasks can write wherever their user may"
	text := fmt.Sprintf("Landlock (ABI %d): tasks write to their own folders only", p.ABI)
	switch {
	case p.Mode != Full:
		return p.off(bound, cost)
	case p.ABI == 0:
		return Line{bound, false, "Landlock: not in this kernel: " + cost + " (Linux 5.13 with landlock among lsm=)"}
	case p.ABI < WithRefer:
		text += "; ABI 1 lets them move nothing from folder to folder (Linux 5.19)"
	case p.ABI < withTruncate:
		text += "; below ABI 3 they can truncate what their user may write (Linux 6.2)"
	case p.ABI < withIoctl:
		text += "; below ABI 5 they can control devices that their user may open (Linux 6.10)"
	}
	for _, path := range p.Write {
		text += ", and " + path
	}
	return Line{bound, true, text}
}

func (p Policy) reading() Line {
	const bound = "read fence"
	cost := "tasks read each other's files where the mode allows it"
	if p.User.IsAgent() {
		cost = "tasks read the data folder and the agent's keys, which gives them its rights"
	}
	why := p.Exposed()
	switch {
	case p.Mode != Full:
		return p.off(bound, cost)
	case p.ABI == 0:
		return Line{bound, false, "Landlock: not in this kernel: " + cost}
	case why != "":
		return Line{bound, false, why + ": " + cost}
	}
	return Line{bound, true, "Landlock: tasks read neither the data folder, except their own part, nor the agent's keys"}
}

func (p Policy) signals() Line {
	const bound = "signal fence"
	cost := "tasks can signal whatever runs as their user (those of other slots too, unless --slot-uid-base gives each slot one)"
	if p.Base != 0 {
		cost = "tasks can signal whatever runs in their slot"
	}
	switch {
	case p.Mode != Full:
		return p.off(bound, cost)
	case p.ABI < withScopes:
		return Line{bound, false, "Landlock ABI 6 (Linux 6.12): not in this kernel: " + cost}
	}
	return Line{bound, true, "Landlock: tasks signal only what they started"}
}

func (p Policy) user() Line {
	if p.User.IsAgent() {
		return Line{"task user", false, "the agent's own (" + p.Why + "): tasks read what the agent may" + p.butNot()}
	}
	const readable = ": inputs must be readable to it (chmod o+r, and o+x on the folders above)"
	switch {
	case p.group != 0:
		return Line{"task user", true, fmt.Sprintf("uid %d plus the number of the slot, in group %d; %s publishes results: inputs must be readable to all (chmod o+r, and o+x on the folders above)", p.Base, p.group, p.User)}
	case p.Shared != "":
		return Line{"task user", true, p.User.String() + ", one for all slots (" + p.Shared + ")" + readable}
	}
	if p.Base != 0 {
		return Line{"task user", true, fmt.Sprintf("uid %d plus the number of the slot: inputs must be readable to all (chmod o+r, and o+x on the folders above)", p.Base)}
	}
	return Line{"task user", true, p.User.String() + readable}
}

func (p Policy) butNot() string {
	if p.Exposed() != "" {
		return ", its keys included"
	}
	return " beside its keys and data folder"
}

func (p Policy) privileges() Line {
	if p.Mode == Off {
		return p.off("no new rights", "tasks gain rights by setuid programs")
	}
	return Line{"no new rights", true, "no_new_privs: setuid programs and file capabilities give tasks nothing"}
}
