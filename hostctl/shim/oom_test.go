package shim

import "testing"

// Only a kill for the slot's own limit follows again from the same limit. cgroup v1 does not tell.
func TestAKillForTheHostsMemoryIsNotTheLimits(t *testing.T) {
	const before = "low 0\nhigh 3\nmax 7\noom 1\noom_kill 1\noom_group_kill 0\n"
	for name, c := range map[string]struct {
		before, after string
		own           bool
	}{
		"own limit":               {before, "low 0\nhigh 3\nmax 9\noom 2\noom_kill 2\noom_group_kill 0\n", true},
		"host without memory":     {before, "low 0\nhigh 3\nmax 7\noom 1\noom_kill 2\noom_group_kill 0\n", false},
		"v1, which does not tell": {"oom_kill_disable 0\nunder_oom 0\noom_kill 1\n", "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n", true},
	} {
		was, now := countOOM([]byte(c.before)), countOOM([]byte(c.after))
		if was.kills != 1 || now.kills != 2 {
			t.Errorf("%s: kills = %d, then %d, want 1, then 2", name, was.kills, now.kills)
		}
		if got := now.ownLimit(was); got != c.own {
			t.Errorf("%s: ownLimit() = %v, want %v", name, got, c.own)
		}
	}
}
