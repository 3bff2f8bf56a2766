import { expect, it } from 'vitest';
import { failureFrom } from '../../../../operator/cluster/http/status.js';

const secret = JSON.stringify(JSON.stringify({ kind: 'Secret', data: { password: 'aHVudGVyMg==', quote: '"' } }));

it.each([
  {
    told: `"" is invalid: patch: Invalid value: ${secret}: strict decoding error: unknown field "spec.replcas"`,
    says: '"" is invalid: patch: Invalid value: strict decoding error: unknown field "spec.replcas"',
  },
  {
    told: `Secret "a" is invalid: [data: Invalid value: ${secret}: no, type: Invalid value: ${secret}: nor this]`,
    says: 'Secret "a" is invalid: [data: Invalid value: no, type: Invalid value: nor this]',
  },
  {
    told: 'Service "a" is invalid: spec.clusterIP: Invalid value: "10.0.0.1": field is immutable',
    says: 'Service "a" is invalid: spec.clusterIP: Invalid value: "10.0.0.1": field is immutable',
  },
  {
    told: 'spec.template: Invalid value: "[{\\"password\\":\\"hunter2\\"}]": must be one',
    says: 'spec.template: Invalid value: must be one',
  },
  {
    told: 'spec.template: Invalid value: core.PodTemplateSpec{Env:[]core.EnvVar{{Value:"hunter2"}}}: field is immutable',
    says: 'spec.template: Invalid value: field is immutable',
  },
  { told: 'spec.template: Invalid value: core.PodTemplateSpec{Value:"hunter2"…', says: 'spec.template: Invalid value' },
  { told: 'Invalid value: "{', says: 'Invalid value' },
  {
    told: 'Job "a" is invalid: [spec.x: Required value, spec.template: Invalid value: {"env":[{"Value":"hunter2 }: \\""}]}: field is immutable]',
    says: 'Job "a" is invalid: [spec.x: Required value, spec.template: Invalid value: field is immutable]',
  },
  {
    told: 'spec.any: Unsupported value: {"p":"hunter2"}: supported values: "a", spec.b: Duplicate value: ["hunter2"]',
    says: 'spec.any: Unsupported value: supported values: "a", spec.b: Duplicate value',
  },
  {
    told: 'spec.a: Invalid value: []core.EnvVar{core.EnvVar{Value:"hunter2"}, {X:map[string]interface {}{"y":"hunter2"}}}: no, spec.b: Required value',
    says: 'spec.a: Invalid value: no, spec.b: Required value',
  },
  {
    told: 'Pod "a" is invalid: spec: Forbidden: pod updates may not change fields other than `spec.tolerations`\n@@ -1,7 +1,7 @@\n-  "Value": "hunter2"',
    says: 'Pod "a" is invalid: spec: Forbidden: pod updates may not change fields other than `spec.tolerations`',
  },
  {
    told: '.stringData.a: expected string, got &value.valueUnstructured{Value:map[string]interface {}{"b":"hunter2"}}',
    says: '.stringData.a: expected string',
  },
  { told: '.data: expected map, got &{[hunter2]}', says: '.data: expected map' },
  { told: '.spec.set: duplicate entries for key [="hunter2"]', says: '.spec.set: ' },
  { told: '.spec.env: duplicate entries for key [name="P"]', says: '.spec.env: duplicate entries for key [name="P"]' },
  {
    told: 'spec.n: Invalid value: [1,2]: must be one, got [1 2]',
    says: 'spec.n: Invalid value: must be one, got [1 2]',
  },
])('R25 a refusal says what is wrong, without the object that is repeated in it: $says', ({ told, says }) => {
  expect(failureFrom({ message: told }, { what: 'PATCH /a', code: 422 }).message).toBe(`PATCH /a: ${says}`);
});

const told = (message: string) => failureFrom({ message }, { what: 'PATCH /a', code: 422 }).message;

// Where the time grew with the square of the length, the first took a minute.
it.each([
  { of: 'line ends', text: '\n'.repeat(200_000) },
  { of: 'lines', text: '\n a'.repeat(200_000) },
  { of: 'spaces', text: `\n${' '.repeat(1_000_000)}` },
  { of: 'words', text: 'Invalid value: '.repeat(100_000) },
  { of: 'values', text: `Invalid value: ${'{}'.repeat(500_000)}x` },
])('R34 a refusal with many $of holds nobody up', ({ text }) => {
  expect(told(`spec.timeZone: ${text}`).length).toBeLessThan(33_000);
});

it('R34 a refusal that is long says its beginning, and how much more there is', () => {
  expect(told('x'.repeat(40_000))).toBe(`PATCH /a: ${'x'.repeat(32_768)}… and 7232 characters more`);
  expect(told('x'.repeat(5_000_000))).toBe(`PATCH /a: ${'x'.repeat(32_768)}… and 4967232 characters more`);
});

it('R25 R34 a refusal keeps its reason even if it quotes an object of the maximum size', () => {
  const object = JSON.stringify(JSON.stringify({ a: 'x'.repeat(1_500_000) }));
  expect(told(`patch: Invalid value: ${object}: unknown field`)).toBe('PATCH /a: patch: Invalid value: unknown field');
});

const parts = { name: 'a', kind: 'parts' };
it.each([
  { missing: ['a', 'parts'], told: 'an object', status: { reason: 'NotFound', details: parts } },
  { missing: ['a', undefined], told: 'an object alone', status: { reason: 'NotFound', details: { name: 'a' } } },
  { missing: [undefined, undefined], told: 'no object', status: { reason: 'NotFound', details: {} } },
  { missing: [undefined, undefined], told: 'something else of one', status: { reason: 'Conflict', details: parts } },
])('R4 what is not found is known of an answer that says so of $told: $missing', ({ status, missing }) => {
  const failure = failureFrom(status, { what: 'GET /a', code: 404 });
  expect([failure.missing, failure.missingKind]).toEqual(missing);
});

const untyped =
  'failed to create typed patch object (team/web; apps/v1, Kind=Deployment): .spec.x: field not declared in schema';
it.each([
  { what: 'does not fit its kind', code: 500, message: untyped, is: [400, 'BadRequest'] },
  { what: 'met a failure of the server', code: 500, message: `etcd: ${untyped}`, is: [500, 'InternalError'] },
  { what: 'was not taken', code: 503, message: untyped, is: [503, 'InternalError'] },
])('R24 what was applied and $what is answered $code, which means $is', ({ code, message, is }) => {
  const failure = failureFrom({ message, reason: 'InternalError' }, { what: 'PATCH /a', code });
  expect([failure.code, failure.reason]).toEqual(is);
});
