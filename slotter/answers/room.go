package answers

import "lull/subjects"

// room lists the attempts of a host that another host could run now.
func (f *Facts) room(body []byte) *subjects.RoomAnswer {
	var ask subjects.RoomAsk
	if err := subjects.Unmarshal(body, &ask); err != nil {
		return &subjects.RoomAnswer{Error: err.Error()}
	}
	return &subjects.RoomAnswer{Attempts: f.Movable(ask.Host)}
}
