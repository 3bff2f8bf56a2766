import { expect, it } from 'vitest';
import { failureFrom } from '../../../operator/cluster/status.js';

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
  { told: 'Invalid value: "{', says: 'Invalid value: "{' },
])('R25 a refusal says what is wrong, without the object that is repeated in it: $says', ({ told, says }) => {
  expect(failureFrom({ message: told }, { what: 'PATCH /a', code: 422 }).message).toBe(`PATCH /a: ${says}`);
});
