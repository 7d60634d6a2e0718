// Package upgrade keeps a log and the services' snapshots that each release has written, and
// tests that this version goes on from them. It also upgrades a running pool of real
// processes from an earlier version to this one, process by process.
//
// Before a release, write its fixture, and commit what appears in testdata:
//
//	go run ./test/upgrade/write --lull BINARY --release NAME
//
// The upgrade of real processes takes minutes and needs the git history:
//
//	LULL_TEST_LAST_RELEASE=/tmp/lull-last go test ./test/upgrade -run Rolling -v
package upgrade
