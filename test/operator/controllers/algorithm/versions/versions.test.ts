import { expect, it } from 'vitest';
import { wantedOf } from '../../../../../operator/controllers/algorithm/versions/versions.js';
import { algorithmResource } from '../given-algorithm.js';

const resource = algorithmResource({ image: 'reco:1' });
const frozen = { ...resource, spec: Object.freeze({ ...resource.spec }) };

it('the version in a spec of a cache is computed once, because each reconcile needs it several times', () => {
  expect(wantedOf(frozen)).toBe(wantedOf(frozen));
});

it.each([
  { what: 'an edit', other: { ...frozen, spec: Object.freeze({ ...resource.spec, image: 'reco:2' }) } },
  { what: 'another Algorithm', other: { ...frozen, metadata: { ...resource.metadata, name: 'other' } } },
])('$what has another version', ({ other }) => {
  const { name } = wantedOf(frozen);
  expect(wantedOf(other).name).not.toBe(name);
  expect(wantedOf(frozen).name).toBe(name);
});

it('a spec that can still change is looked at each time', () => {
  const { metadata, spec } = resource;
  const changing = { ...spec };
  const before = wantedOf({ metadata, spec: changing });
  Object.assign(changing, { image: 'reco:3' });
  expect(wantedOf({ metadata, spec: changing }).name).not.toBe(before.name);
});
