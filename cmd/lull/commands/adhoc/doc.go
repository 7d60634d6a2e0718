// Package adhoc makes jobs of command lines, and shows what their tasks wrote, in the manner of
// GNU parallel:
//
//	lull run -- make -C big
//	lull run -n 200 -- ./simulate --seed {#}
//	ls *.wav | lull run --each - -- ffmpeg -i {} {.}.mp3
//
// A Line becomes a job document. Placeholders are replaced here, where the values are, so that
// a task runs a line of shell in which they stand quoted:
//
//	Line ──Document──▶ job ──▶ tasks ──Finished, Failed──▶ Results ──▶ stdout, stderr, job log, halt
//
// Commands are not tried again. The others run on when one fails, and then the job has failed.
package adhoc
