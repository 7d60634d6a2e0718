// Package journal keeps samples of the primary's usage on the host's own disk, and sends them to the
// pool. It waits for nothing: it takes samples while the server is away, and sends them when it is
// back.
//
// Samples are appended to a journal for each UTC day in a folder of the agent. An entry is a block
// of one sample with its length and checksum. A killed process loses the unfinished step, two
// minutes at most. A torn or damaged end of a journal is cut off. Journals of the last eight days
// stay, so a week without the server loses nothing.
//
//	monitor ──sample──▶ Put ──▶ journal of the day ──each hour──▶ bus.PutHistory
//
// Each hour, at a moment that follows from the host's name, the whole block of each day with new
// samples is sent again and replaces the stored one. A day that the pool does not take holds up no
// other. After a failure the keeper tries again every five minutes.
//
// A clock that jumped ahead leaves days in the future. They are sent once their time has come, and do
// not take the place of the days that follow when the clock is right again.
package journal
