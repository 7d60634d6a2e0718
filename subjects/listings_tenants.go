package subjects

// AskTenants asks what was learnt of tenants: TenantsAsk → TenantsAnswer, answered by the
// slotter. Releases without a classifier do not answer it.
const AskTenants = "tenants"

// TenantsAsk asks for a page of tenants, by name.
type TenantsAsk struct {
	After string `msgpack:"after,omitempty"` // the last tenant of the page before
}

// TenantsAnswer is a page of tenants, by name.
type TenantsAnswer struct {
	Folded
	// Last ended the last generation. It is nil before the first.
	Last    *PoolClassified `msgpack:"last,omitempty"`
	Tenants []TenantLine    `msgpack:"tenants"`
	// Next is the After of the next page, "" if there is none.
	Next string `msgpack:"next,omitempty"`
}

// TenantLine is a tenant as lists show it.
type TenantLine struct {
	Tenant string      `msgpack:"tenant"`
	Said   *Classified `msgpack:"said"`
	Hosts  uint32      `msgpack:"hosts"` // that are present and the tenant's
}
