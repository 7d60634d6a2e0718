package subjects

import "lull/subjects/profile"

// AskClassify asks the classifier for a generation now, and how it goes on: ClassifyAsk →
// ClassifyAnswer, in msgpack. Ask again with the same id until the answer is Done.
const AskClassify = "classify"

// ClassifyAsk asks for a generation.
type ClassifyAsk struct {
	// ID is the client's name for the request. The classifier remembers the last one only.
	ID string `msgpack:"id"`
	// Dry asks for the report without writing it to the log.
	Dry bool `msgpack:"dry,omitempty"`
}

// ClassifyAnswer says how far the generation is.
type ClassifyAnswer struct {
	Error string `msgpack:"error,omitempty"`
	Done  bool   `msgpack:"done"`
	// Tenants are how many were looked at, of Hosts with history.
	Tenants uint32         `msgpack:"tenants"`
	Hosts   uint32         `msgpack:"hosts"`
	Changes []TenantChange `msgpack:"changes,omitempty"` // by tenant, the first thousand
	Changed uint32         `msgpack:"changed"`           // all of them
}

// TenantChange is what a generation says of a tenant.
type TenantChange struct {
	Tenant string          `msgpack:"tenant"`
	Before string          `msgpack:"before,omitempty"` // class, "" for none
	After  string          `msgpack:"after,omitempty"`
	From   profile.Pattern `msgpack:"from"`
	To     profile.Pattern `msgpack:"to"`
	Why    string          `msgpack:"why"`
	Gone   bool            `msgpack:"gone,omitempty"`
}
