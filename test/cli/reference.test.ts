import { expect, test } from 'vitest';
import { reference } from '../../cli/codegen/reference/kind-page.js';
import { toCustomResourceDefinition } from '../../crds/index.js';
import { everything } from '../crds/given-everything.js';
import { sample } from '../crds/given-sample.js';

const page = reference(toCustomResourceDefinition(everything), 'npm test');
const rows = reference(toCustomResourceDefinition(sample), 'npm test').split('\n');

test.each([
  ['| `spec.text` | string | `"text"` |  | A text. |'],
  ['| `spec.maybe` | string |  |  | A text or nothing. |'],
  ['| `spec.nullable` | string | `"not null"` | may be null | A text or null. |'],
  ['| `spec.one` | `a`, `b` | `"a"` |  | One of two. |'],
  ['| `spec.either` | integer or string | `"25%"` |  | A number or a share. |'],
  ['| `spec.names` | list of string without duplicates | `["x","y"]` |  | Names. |'],
  ['| `spec.keyed` | list of object by `port`, `protocol` |  |  | Ports. |'],
  ['| `spec.keyed[].port` | integer (int32) | **required** |  | The number. |'],
  ['| `spec.keyed[].leaf.count` | integer (int64) | `0` |  | A number. |'],
  ['| `spec.nested[][].text` | string | `"text"` |  | A text. |'],
  ['| `spec.mapped.*.text` | string | `"text"` |  | A text. |'],
  ['| `spec.nullableValues` | map of string |  | each value: may be null | Texts or nulls. |'],
])('%s', (row) => {
  expect(rows).toContain(row);
});

test('the stored version comes first, a deprecated one says so, and one that is not served is left out', () => {
  const definition = toCustomResourceDefinition(everything);
  const headings = (isServed: boolean) => {
    const versions = definition.spec.versions.map((version) => ({ ...version, served: version.storage || isServed }));
    const spec = { ...definition.spec, versions };
    return reference({ ...definition, spec }, 'npm test').match(/^## .*$/gm);
  };
  expect(headings(true)).toEqual(['## v1', '## v1beta1 (deprecated)']);
  expect(headings(false)).toEqual(['## v1']);
});

test('names, rules and columns are there', () => {
  expect(page).toContain('`everything.testing.example.com`, short `ev`; namespaced.');
  expect(page).toContain('| `metadata.name` | string | **required** | at most 20 characters | Up to 20 characters. |');
  expect(page).toContain("| `the resource` | `!self.metadata.name.startsWith('bad-')` | is a bad name;");
  expect(page).toContain('| `spec.engine` | `self == oldSelf` | is immutable;');
  expect(page).toContain('| Engine | `.spec.engine` |  |');
});

test('a bar stays inside its cell', () => {
  expect(page).toContain('(!has(self.__namespace__) \\|\\| self.__namespace__ == oldSelf.__namespace__)');
});
