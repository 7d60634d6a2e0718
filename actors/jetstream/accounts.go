package jetstream

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"lull/subjects"
)

// Key is one user of a server.
type Key struct {
	Role subjects.Role
	Name string // of the host or user; "" for roles that have none
}

// user is the key's name to the server. Hosts and users may have the same names.
func (k Key) user() string {
	if k.Role == subjects.RoleHost {
		return "host-" + k.Name
	}
	if k.Name != "" {
		return k.Name
	}
	return string(k.Role)
}

// variable is the environment variable that holds the key's password.
func (k Key) variable() string {
	upper := strings.ToUpper(k.user())
	return "LULL_" + strings.ReplaceAll(upper, "-", "_") + "_PASSWORD"
}

// Accounts returns the accounts of a nats-server configuration in which each key may
// do what Pool.Rights allows, and nothing else.
//
// Permissions within one account are not enough. The server checks them when a key publishes, but
// not when the server itself sends for the key. A request's answer goes to any subject that the
// request names, a consumer delivers to any subject, and a message on the log's subjects enters the
// log. So each key has an account of its own, which imports what the key may use, and the server's
// answers stay in that account. Admission and slotter share the account with the pool's streams and
// are not protected from each other.
func Accounts(pool subjects.Pool, keys []Key) (string, error) {
	c := &conf{pool: pool}
	if err := c.check(keys); err != nil {
		return "", err
	}
	c.line(0, "accounts {")
	c.core(keys)
	for _, k := range keys {
		if err := c.account(k); err != nil {
			return "", err
		}
	}
	c.line(0, "}")
	return c.text.String(), nil
}

type conf struct {
	pool subjects.Pool
	text strings.Builder
}

func (c *conf) line(indent int, format string, v ...any) {
	c.text.WriteString(strings.Repeat("  ", indent))
	fmt.Fprintf(&c.text, format+"\n", v...)
}

// check refuses keys with names that the server cannot use or distinguish.
func (c *conf) check(keys []Key) error {
	seen := map[string]Key{}
	for _, k := range keys {
		if strings.ContainsFunc(k.Name, func(r rune) bool { return !plainRune(r) }) {
			return fmt.Errorf("%s %q: use letters, digits, '-' and '_'", k.Role, k.Name)
		}
		if _, err := c.pool.Rights(k.Role, k.Name); err != nil {
			return err
		}
		if other, ok := seen[k.variable()]; ok {
			return fmt.Errorf("%s %q and %s %q would share the password %s: name them differently", other.Role, other.user(), k.Role, k.user(), k.variable())
		}
		seen[k.variable()] = k
	}
	if len(keys) == 0 {
		return errors.New("no keys are named")
	}
	return nil
}

func plainRune(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '-' || r == '_'
}

// core writes the account with the streams, whose users are the services.
func (c *conf) core(keys []Key) {
	c.line(1, "# The pool's streams, and the services that keep them.")
	c.line(1, "%s {", c.pool.Log())
	c.line(2, "jetstream: enabled")
	c.line(2, "users = [")
	for _, k := range keys {
		if service(k) {
			c.service(k)
		}
	}
	c.line(2, "]")
	c.line(2, "exports = [")
	for _, subject := range []string{"lull." + string(c.pool) + ".>", "$JS.API.DIRECT.GET.>", "$JS.API.STREAM.INFO.*"} {
		c.line(3, "{ service: %q, response_type: stream }", subject)
	}
	c.line(3, "{ stream: %q }", "lull."+string(c.pool)+".>")
	c.line(2, "]")
	c.answers(keys)
	c.line(1, "}")
}

// answers writes the imports through which hosts answer requests. Hosts ask one
// another on a subject of their own: otherwise the server sees a cycle of imports.
func (c *conf) answers(keys []Key) {
	c.line(2, "mappings = { %q: %q }", c.pool.Pass("*"), c.pool.Ticket("{{wildcard(1)}}"))
	c.line(2, "imports = [")
	for _, k := range keys {
		rights, _ := c.pool.Rights(k.Role, k.Name) // checked
		for _, subject := range rights.Answer {
			c.line(3, "{ service: { account: %s, subject: %q } }", c.name(k), subject)
		}
	}
	c.line(2, "]")
}

func service(k Key) bool {
	return k.Role == subjects.RoleAdmission || k.Role == subjects.RoleSlotter || k.Role == subjects.RoleClassifier || k.Role == subjects.RolePlacer
}

func (c *conf) name(k Key) string {
	return fmt.Sprintf("%s_%s", c.pool.Log(), strings.ToUpper(string(k.Role))+suffix(k.Name))
}

func suffix(name string) string {
	if name == "" {
		return ""
	}
	return "_" + name
}

// service writes a user of the core account. Its permissions limit which events it
// writes itself, but a key with the right to make consumers can get around them.
func (c *conf) service(k Key) {
	rights, _ := c.pool.Rights(k.Role, k.Name) // checked
	publish := make([]string, 0, 32)
	for _, way := range rights.Publish {
		publish = append(publish, way.Subject)
	}
	publish = append(publish, c.keeping(k)...)
	c.line(3, "{ user: %q, password: $%s, permissions: {", k.user(), k.variable())
	c.line(4, "publish: [")
	c.list(5, publish)
	c.line(4, "]")
	c.line(4, "subscribe: [%q, %q]", "lull."+string(c.pool)+".>", "_INBOX.>")
	c.line(3, "}}")
}

// keeping lists the subjects of the server that make and read the pool's streams.
func (c *conf) keeping(k Key) []string {
	p := c.pool
	streams := []string{p.Log(), p.Inbox(), p.QuarantineStream(), p.Lists(), p.History(), "KV_" + p.Leases(), "OBJ_" + p.Snapshots(), "OBJ_" + p.Objects()}
	publish := []string{"$JS.API.INFO", "$JS.API.CONSUMER.>", "$JS.API.STREAM.MSG.GET.*", "$JS.API.DIRECT.GET.>", "$JS.ACK.>", "_INBOX.>", "_R_.>"}
	for _, s := range streams {
		publish = append(publish, "$JS.API.STREAM.CREATE."+s, "$JS.API.STREAM.UPDATE."+s, "$JS.API.STREAM.INFO."+s)
	}
	switch k.Role { // what each drops when a stream that clients write to runs full
	case subjects.RoleAdmission:
		publish = append(publish, "$JS.API.STREAM.PURGE."+p.Inbox())
	case subjects.RoleSlotter:
		publish = append(publish, "$JS.API.STREAM.MSG.DELETE."+p.Lists())
	}
	if k.Role != subjects.RoleClassifier && k.Role != subjects.RolePlacer { // it never trims
		publish = append(publish, "$JS.API.STREAM.PURGE."+p.Log())
	}
	return append(publish, "$JS.API.STREAM.PURGE.OBJ_"+p.Snapshots(),
		"$O."+p.Snapshots()+".>", "$KV."+p.Leases()+"."+string(k.Role)+".>")
}

func (c *conf) list(indent int, subjects []string) {
	for s := range slices.Chunk(subjects, 3) {
		quoted := make([]string, len(s))
		for i := range s {
			quoted[i] = fmt.Sprintf("%q", s[i])
		}
		c.line(indent, "%s", strings.Join(quoted, ", "))
	}
}

// account writes the account of one key.
func (c *conf) account(k Key) error {
	if service(k) {
		return nil
	}
	rights, err := c.pool.Rights(k.Role, k.Name)
	if err != nil {
		return err
	}
	c.line(0, "")
	c.line(1, "%s {", c.name(k))
	c.line(2, "users = [{ user: %q, password: $%s }]", k.user(), k.variable())
	if len(rights.Answer) > 0 {
		c.line(2, "exports = [")
		for _, subject := range rights.Answer {
			c.line(3, "{ service: %q, accounts: [%s] }", subject, c.pool.Log())
		}
		c.line(2, "]")
	}
	c.line(2, "imports = [")
	for _, way := range rights.Publish {
		c.imported("service", way.Subject, "")
		if way.Plain != "" {
			c.imported("service", way.Subject, way.Plain)
		}
	}
	for _, stream := range rights.Read {
		c.imported("service", "$JS.API.DIRECT.GET."+stream, "")
	}
	for _, stream := range []string{c.pool.Log(), c.pool.History()} {
		if slices.Contains(rights.Read, stream) {
			info := ".STREAM.INFO." + stream
			c.imported("service", "$JS.API"+info, c.pool.API()+info)
		}
	}
	for _, subject := range rights.Subscribe {
		c.imported("stream", subject, "")
	}
	c.line(2, "]")
	c.line(1, "}")
	return nil
}

// imported writes the import of a subject of the core, under the name as unless that
// is empty.
func (c *conf) imported(kind, subject, as string) {
	if as != "" {
		as = fmt.Sprintf(", to: %q", as)
	}
	c.line(3, "{ %s: { account: %s, subject: %q }%s }", kind, c.pool.Log(), subject, as)
}
