package hostile

// task is something no sane job does.
type task struct {
	name   string
	script string
	memory int64 // the stage's limit, in bytes
}

const mb = 1 << 20

// tasks are killed if they do not end by themselves. $HOSTILE is this test's
// binary, for what a shell cannot do.
var tasks = []task{
	{"fork bomb", `b() { b | b & }; b; exec sleep 1000`, 256 * mb},
	{"memory hog", `while :; do tail /dev/zero; done`, 128 * mb},
	{"cache thrasher", `for i in 1 2 3 4; do "$HOSTILE" thrash & done; wait`, 512 * mb},
	{"descriptor hog", `for i in $(seq 20); do "$HOSTILE" descriptors & done; wait`, 512 * mb},
	{"signal ignorer", `trap "" TERM INT HUP QUIT
(setsid sh -c 'trap "" TERM; while :; do sleep 0.01; done' &)
while :; do :; done`, 256 * mb},
	{"babbler", `exec yes`, 256 * mb},
	{"disk churner", `while :; do dd if=/dev/zero of="$TMPDIR/f" bs=1M count=24 conv=fsync; rm "$TMPDIR/f"; done`, 256 * mb},
	{"disk filler", `i=0; while :; do i=$((i+1)); dd if=/dev/zero of="$LULL_OUT/f$i" bs=1M; done`, 256 * mb},
}
