// Package upgrade keeps what each release has written, a log and the snapshots
// of its services, and tests that this version goes on from it; and it runs real
// processes of an earlier version beside those of this one, replaced one by one.
//
// Before a release, write its fixture, and commit what appears in testdata:
//
//	go run ./test/upgrade/write --lull BINARY --release NAME
//
// The upgrade of real processes takes minutes and needs the git history:
//
//	go test ./test/upgrade -run Rolling -v -upgrade.commit d26bf90
package upgrade
