package otlp

import (
	"bytes"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
)

// laterError is the error of a request that may be sent again.
type laterError struct {
	after time.Duration // what the collector asks to wait at least
	err   error
}

func (e *laterError) Error() string { return e.err.Error() }
func (e *laterError) Unwrap() error { return e.err }

// failure returns what a collector's answer says went wrong, if anything.
func failure(response *http.Response, answer []byte) error {
	if response.StatusCode/100 == 2 {
		return refused(answer)
	}
	err := fmt.Errorf("collector %s: %s: %s", response.Request.URL.Redacted(), response.Status, text(answer))
	switch response.StatusCode {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return &laterError{retryAfter(response.Header.Get("Retry-After"), time.Now()), err}
	}
	return err
}

// text returns an answer for a person, in one line. An error's message is protobuf, a proxy's is text: both hold words.
func text(answer []byte) string {
	const most = 200
	words := bytes.Join(bytes.FieldsFunc(answer, func(r rune) bool { return r <= ' ' || r == '\uFFFD' }), []byte(" "))
	if len(words) == 0 {
		return "(no text)"
	}
	return string(bytes.ToValidUTF8(words[:min(most, len(words))], nil))
}

// retryAfter returns the time that a Retry-After header asks for: it holds seconds, or a date.
func retryAfter(value string, now time.Time) time.Duration {
	if seconds, err := strconv.Atoi(value); err == nil {
		return time.Duration(min(max(seconds, 0), 3600)) * time.Second
	}
	if date, err := http.ParseTime(value); err == nil {
		return max(date.Sub(now), 0)
	}
	return 0
}

// refused returns an error if the answer to a request that was taken says that some spans were not, or why others may not be.
// The answer is an ExportTraceServiceResponse: field 1 holds the number of refused spans (1) and a message (2). One that can't
// be read says nothing.
func refused(answer []byte) error {
	var spans uint64
	var message string
	fields(answer, func(number protowire.Number, _ uint64, partial []byte) {
		if number != 1 {
			return
		}
		fields(partial, func(number protowire.Number, value uint64, data []byte) {
			switch number {
			case 1:
				spans = value
			case 2:
				message = text(data)
			}
		})
	})
	if spans == 0 && message == "" {
		return nil
	}
	return fmt.Errorf("the collector refused %d spans: %s", spans, message)
}

// fields calls f for each field of a protobuf message that is a number or has bytes.
func fields(message []byte, f func(number protowire.Number, value uint64, data []byte)) {
	for len(message) > 0 {
		number, kind, n := protowire.ConsumeTag(message)
		if n < 0 {
			return
		}
		message = message[n:]
		var value uint64
		var data []byte
		switch kind {
		case protowire.VarintType:
			value, n = protowire.ConsumeVarint(message)
		case protowire.BytesType:
			data, n = protowire.ConsumeBytes(message)
		default:
			n = protowire.ConsumeFieldValue(number, kind, message)
		}
		if n < 0 {
			return
		}
		message = message[n:]
		f(number, value, data)
	}
}
