package spec

import (
	"fmt"
	"reflect"
	"strings"
	"unicode/utf8"
)

// notText finds a text under a value that is not UTF-8, and returns it with its path; ok is false if there is
// none. JSON would carry U+FFFD in place of each such byte.
func notText(v reflect.Value, path string) (at, text string, ok bool) {
	switch v.Kind() {
	case reflect.String:
		return path, v.String(), !utf8.ValidString(v.String())
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			return notText(v.Elem(), path)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			field := v.Type().Field(i)
			if !field.IsExported() {
				continue // only the parser sets it, from a document, which is UTF-8
			}
			if at, text, ok = notText(v.Field(i), join(path, fieldName(field))); ok {
				return at, text, true
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if at, text, ok = notText(v.Index(i), index(path, i)); ok {
				return at, text, true
			}
		}
	case reflect.Map:
		return keyNotText(v, path)
	}
	return "", "", false
}

func keyNotText(v reflect.Value, path string) (at, text string, ok bool) {
	for each := v.MapRange(); each.Next(); {
		if at, text, ok = notText(each.Key(), path); ok {
			return at, text, true
		}
		if at, text, ok = notText(each.Value(), join(path, fmt.Sprint(each.Key()))); ok {
			return at, text, true
		}
	}
	return "", "", false
}

// fieldName is the name that a field has in the document.
func fieldName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	if name == "" || name == "-" {
		return strings.ToLower(f.Name)
	}
	return name
}
