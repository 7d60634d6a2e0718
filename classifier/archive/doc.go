// Package archive keeps the blocks of history that were read, and makes of them what each
// tenant used.
//
//	kept := archive.New()
//	for each message of the stream: kept.Put(host, &block, body)
//	kept.Assign(hosts.Spans())                       // the tenants that hosts had: package tenure
//	for _, tenant := range kept.Tenants() {
//		kept.AddTo(average, tenant, from, until)     // the hosts that were then the tenant's
//	}
//
// Blocks are kept in the bytes in which they came, some four bytes a sample: a month of a pool of
// ten thousand hosts fits into a gigabyte. A block replaces an earlier one of the same name. Where
// several blocks of a host cover one moment, the block of its agent counts before an imported one, then
// the one with more observed seconds, then the later one.
//
// An imported sample counts for the tenant that its block names, because operators import. A sample of an agent counts for the
// tenant that the host had by the log, whatever its block names. A host without a tenant is a tenant of its own: see
// subjects.TenantOf.
//
// The package is pure.
package archive
