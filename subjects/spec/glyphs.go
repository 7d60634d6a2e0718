package spec

import (
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/token"
)

const (
	// unseen are characters that look like a space or like nothing, and separate no words for YAML or a shell.
	unseen = "\u00a0\u2007\u202f\u3000\u200b\u2060\ufeff"
	// curly are the quotes that word processors write. They quote nothing.
	curly = "“”„‟‘’‚‛"
)

// glyph finds what an editor put into a text without quotes in place of a space or a quote. Where it is meant, the
// text stands in quotes or in a block.
func glyph(doc []byte, t, before *token.Token) error {
	if t.Type != token.StringType || before != nil && (before.Type == token.LiteralType || before.Type == token.FoldedType) {
		return nil
	}
	if at := strings.IndexAny(t.Value, unseen); at >= 0 {
		r, _ := utf8.DecodeRuneInString(t.Value[at:])
		return faultf("", "the character %U looks like a space or like nothing, and is neither: replace it by a space, or put the text in quotes if it is meant", r).on(doc, t, r)
	}
	for _, r := range []rune{firstRune(t.Value), lastRune(t.Value)} {
		if strings.ContainsRune(curly, r) {
			return faultf("", "the quote %c (%U) quotes nothing: write ' or \"", r, r).on(doc, t, r)
		}
	}
	return nil
}

func firstRune(text string) rune { r, _ := utf8.DecodeRuneInString(text); return r }
func lastRune(text string) rune  { r, _ := utf8.DecodeLastRuneInString(text); return r }

// on returns e with the place of a character's first occurrence from a token on.
func (e *Error) on(doc []byte, t *token.Token, r rune) *Error {
	e = e.at(doc, t)
	lines := strings.Split(string(doc), "\n")
	for n := e.Line - 1; n < len(lines); n++ {
		from := 0
		if n == e.Line-1 {
			from = width(lines[n], e.Column-1)
		}
		if at := strings.IndexRune(lines[n][from:], r); at >= 0 {
			e.Line, e.Column = n+1, utf8.RuneCountInString(lines[n][:from+at])+1
			e.Source = excerpt(string(doc), e.Line, e.Column)
			break
		}
	}
	return e
}
