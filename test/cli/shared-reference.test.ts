import { expect, test } from 'vitest';
import { definitionsOf } from '../../cli/codegen/crds/definitions.js';
import { definitionPage, referringPage } from '../../cli/codegen/reference/definition-page.js';
import { reference } from '../../cli/codegen/reference/kind-page.js';
import { allKinds, defineKind, integer, list, object, string } from '../../crds/index.js';
import { documentedDefinition } from '../../crds/schema/crd.js';
import type { Definition } from '../../crds/schema/json.js';
import { named } from '../../crds/schema/schema.js';

const LOUD = { rule: "self != ''", message: 'must be loud' };
const inner = object('Inner part.', { deep: string('Deep text.', { maxLength: 5 }) }, { optional: true });
const text = string('Text.', { rules: [LOUD] });
const part = (description: string) => object(description, { text, inner }, { optional: true });

const definition: Definition = { name: 'Part', json: part('Part.').json, page: { file: 'part.md', title: 'Part' } };
const special = object(
  'Special part.',
  {
    text: string('Other text.', { rules: [LOUD] }),
    more: object('More.', { count: integer('Count.', { optional: true }) }, { optional: true }),
  },
  { optional: true, rules: [{ rule: 'has(self.more)', message: 'must have more' }] },
);
const holder = object('Holder.', { special: named(definition, special) }, { optional: true });
const holding: Definition = { name: 'Holder', json: holder.json, page: { file: 'holder.md', title: 'Holder' } };

const crd = documentedDefinition(
  defineKind({
    group: 'testing.example.com',
    kind: 'Thing',
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        description: 'Thing.',
        spec: object('Spec.', {
          plain: named(definition, part('Part of the thing.')),
          parts: list(
            'Parts.',
            named(definition, object('One part.', { text, inner: object('Inner part.', {}, { optional: true }) })),
          ),
          special: named(definition, special),
          holder: named(holding, holder),
        }),
      },
    ],
  }),
);
const page = reference(crd, 'npm test').split('\n');
const pages = [referringPage(crd, 'thing.md'), { title: 'Holder', file: 'holder.md', schema: holding.json }];
const shared = definitionPage(definition, pages, 'npm test').split('\n');
const fieldsIn = (lines: readonly string[]) =>
  lines.flatMap((line) => /^\| `([\w.[\]]+)` \| [^`]/.exec(line)?.slice(1) ?? []);

test('the page of a kind links to the page of the definition, and does not repeat its fields', () => {
  expect(page).toContain('| `spec.plain` | [Part](part.md) |  |  | Part of the thing. |');
  expect(page).toContain(
    '| `spec.parts` | list of [Part](part.md) | **required** |  | Parts. Without the fields `inner.deep`. |',
  );
  expect(page.join('\n')).not.toContain('spec.plain.');
  expect(page.join('\n')).not.toContain('spec.parts[].');
});

test('a use names the fields that it lacks, and has rows of those that differ', () => {
  expect(page).toContain('| `spec.special` | [Part](part.md) |  |  | Special part. Without the fields `inner`. |');
  expect(page).toContain('| `spec.special.text` | string | **required** |  | Other text. |');
  expect(page).toContain('| `spec.special.more.count` | integer (int32) |  |  | Count. |');
});

test('the page of a kind has only the rules that the page of the definition lacks', () => {
  const rules = page.filter((line) => line.includes('must have more') || line.includes('must be loud'));
  expect(rules).toEqual(['| `spec.special` | `has(self.more)` | must have more |']);
});

test('the page of a definition lists where it is used, each field and each rule', () => {
  expect(shared).toContain('# Part');
  expect(shared).toContain('| [Thing](thing.md) | `spec.plain`, `spec.parts[]`, `spec.special` |');
  expect(shared).toContain('| [Holder](holder.md) | `special` |');
  expect(shared).toContain('| `inner.deep` | string | **required** | at most 5 characters | Deep text. |');
  expect(shared.filter((line) => line.includes('must be loud'))).toEqual([expect.stringContaining('| `text` |')]);
});

test('a reader of the page of KafkaCluster finds the fields of a Pod template with one click', () => {
  const crds = allKinds.map(documentedDefinition);
  const kafka = crds.find(({ spec }) => spec.names.kind === 'KafkaCluster') ?? expect.fail();
  const rows = reference(kafka, 'npm test').split('\n');
  const groups = ['spec.controllers', 'spec.brokers', 'spec.pools[]'];
  for (const group of groups)
    expect(rows).toContainEqual(
      expect.stringContaining(`| \`${group}.podTemplate\` | [Pod template](pod-template.md) |`),
    );
  expect(fieldsIn(rows).filter((field) => /podTemplate\./.test(field))).toEqual([]);

  const template = definitionsOf(crds).find(({ name }) => name === 'PodTemplate') ?? expect.fail();
  const fields = fieldsIn(definitionPage(template, [], 'npm test').split('\n'));
  expect(fields).toContain('affinity.nodeAffinity');
  expect(fields).toContain('securityContext.runAsUser');
  expect(new Set(fields).size).toBe(fields.length);
});
