import { describe, expect, it } from 'vitest';
import { resourceVersionIn } from '../../../operator/cluster/partial-json.js';

describe('the version in the JSON of an object', () => {
  it.each([
    { found: '12', when: 'it is there', object: { metadata: { name: 'a', resourceVersion: '12', uid: 'b' } } },
    {
      found: '12',
      when: 'a text speaks of one',
      object: { metadata: { resourceVersion: '12' }, data: { a: '"resourceVersion":"13"' } },
    },
    {
      found: '12',
      when: 'it is a field of managed fields',
      object: { metadata: { managedFields: [{ 'f:resourceVersion': {} }], resourceVersion: '12' } },
    },
    {
      found: undefined,
      when: 'an annotation is named so too',
      object: { metadata: { annotations: { resourceVersion: '13' }, resourceVersion: '12' } },
    },
    {
      found: undefined,
      when: 'the spec states one',
      object: { metadata: { resourceVersion: '12' }, spec: { resourceVersion: '13' } },
    },
    { found: undefined, when: 'there is none', object: { metadata: {} } },
  ])('is $found when $when', ({ found, object }) => {
    expect(resourceVersionIn(JSON.stringify(object))).toBe(found);
  });
});
