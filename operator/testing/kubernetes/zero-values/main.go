// Command zero-values writes a TypeScript module with the fields of which the API server does not return a zero value. It
// omits `minReadySeconds: 0`, and keeps `replicas: 0`, because that field is a pointer in Go.
package main

import (
	"fmt"
	"log"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/version"
	priority "k8s.io/apimachinery/pkg/version"
	"k8s.io/client-go/kubernetes/scheme"
	release "k8s.io/component-base/version"
	apiregistration "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)

const header = `// Written by ` + "`npm run fetch:zero-values`" + ` from the Go types of Kubernetes %s. Do not edit.

/**
 * The fields of which the API server does not return a zero value, by kind and by type. It omits ` + "`name?`, and makes an\n" +
	" * empty `name!` null. The content of `name:Type` has that type, and each item or entry of `name:Type*`. Fields that it\n" +
	` * returns as they are, such as pointers, are not in the list.
 */
export const zeroValues = ` + "`\n%s\n`;\n"

func main() {
	if len(os.Args) != 2 {
		log.Fatal("zero-values: name the file to write")
	}
	for _, add := range []func(*runtime.Scheme) error{apiextensions.AddToScheme, apiregistration.AddToScheme} {
		if err := add(scheme.Scheme); err != nil {
			log.Fatal(err)
		}
	}
	types := table{}
	var lines []string
	for kind, t := range kinds() {
		// A status is written by others.
		fields := slices.DeleteFunc(types.fieldsOf(t), func(field string) bool { return strings.HasPrefix(field, "status:") })
		lines = append(lines, kind.Group+"/"+kind.Kind+" "+strings.Join(fields, " "))
	}
	slices.Sort(lines)
	text := fmt.Sprintf(header, release.DefaultKubeBinaryVersion, strings.Join(append(lines, types.lines(lines)...), "\n"))
	if err := os.WriteFile(os.Args[1], []byte(text), 0o644); err != nil {
		log.Fatal(err)
	}
}

// kinds has the types of all kinds that can be listed, in the most stable version that this release serves.
func kinds() map[schema.GroupKind]reflect.Type {
	known := scheme.Scheme.AllKnownTypes()
	types, versions := map[schema.GroupKind]reflect.Type{}, map[schema.GroupKind]string{}
	for kind, t := range known {
		name := kind.GroupKind()
		_, isListed := known[kind.GroupVersion().WithKind(kind.Kind+"List")]
		isBetter := priority.CompareKubeAwareVersionStrings(kind.Version, versions[name]) > 0
		if isListed && isBetter && hasMetadata(t) && !isRemoved(t) {
			types[name], versions[name] = t, kind.Version
		}
	}
	return types
}

func hasMetadata(t reflect.Type) bool {
	_, has := t.FieldByName("ObjectMeta")
	return has
}

func isRemoved(t reflect.Type) bool {
	removed, is := reflect.New(t).Interface().(interface{ APILifecycleRemoved() (int, int) })
	if !is {
		return false
	}
	major, minor := removed.APILifecycleRemoved()
	return version.MustParseGeneric(release.DefaultKubeBinaryVersion).AtLeast(version.MajorMinor(uint(major), uint(minor)))
}

// table has the fields of types. Types with none are in it too.
type table map[reflect.Type][]string

// lines has the types that the kinds need.
func (types table) lines(kinds []string) []string {
	byName := map[string]string{}
	for t, fields := range types {
		byName[name(t)] = strings.Join(fields, " ")
	}
	var lines []string
	var add func(text string)
	add = func(text string) {
		for _, found := range content.FindAllStringSubmatch(text, -1) {
			if fields, isLeft := byName[found[1]]; isLeft {
				delete(byName, found[1])
				lines = append(lines, found[1]+" "+fields)
				add(fields)
			}
		}
	}
	add(strings.Join(kinds, " "))
	slices.Sort(lines)
	return lines
}

var content = regexp.MustCompile(`:([^ *]+)`)

func (types table) fieldsOf(t reflect.Type) []string {
	var fields []string
	for field := range t.Fields() {
		tag := strings.Split(field.Tag.Get("json"), ",")
		switch {
		case field.Type == reflect.TypeFor[metav1.TypeMeta]():
		case tag[0] == "" && field.Anonymous: // inline
			fields = append(fields, types.fieldsOf(field.Type)...)
		case tag[0] != "-":
			if rest := zeroOf(field.Type, slices.Contains(tag, "omitempty")) + types.contentOf(field.Type); rest != "" {
				fields = append(fields, tag[0]+rest)
			}
		}
	}
	return fields
}

// zeroOf is what becomes of a zero value.
func zeroOf(t reflect.Type, isOmitted bool) string {
	switch t.Kind() {
	case reflect.Pointer, reflect.Struct, reflect.Interface:
		return ""
	case reflect.Slice, reflect.Map:
		if !isOmitted {
			return "!"
		}
	}
	if isOmitted {
		return "?"
	}
	return ""
}

func (types table) contentOf(t reflect.Type) string {
	items := ""
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		if t.Kind() != reflect.Pointer {
			items += "*"
		}
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || isEncodedByItself(t) {
		return ""
	}
	if fields, isKnown := types[t]; !isKnown {
		types[t] = []string{"…"} // a type may contain itself
		types[t] = types.fieldsOf(t)
	} else if len(fields) == 0 {
		return ""
	}
	if len(types[t]) == 0 {
		return ""
	}
	return ":" + name(t) + items
}

func isEncodedByItself(t reflect.Type) bool {
	_, is := reflect.New(t).Interface().(interface{ MarshalJSON() ([]byte, error) })
	return is
}

var stable = regexp.MustCompile(`/v\d+$`)

// name has the package, because several have a type of one name.
func name(t reflect.Type) string {
	path := strings.Split(stable.ReplaceAllString(t.PkgPath(), ""), "/")
	last := path[len(path)-1]
	if len(path) > 1 && strings.HasPrefix(last, "v") {
		last = path[len(path)-2] + "/" + last
	}
	return last + "." + t.Name()
}
