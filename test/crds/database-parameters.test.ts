import { expect, test } from 'vitest';
import { databaseSpec, withDefaults } from '../../crds/index.js';

const least = { storage: { size: '1Gi' }, backup: { target: { volume: {} } } };

test.each([
  ['nothing is said of them', least],
  ['there are none', { ...least, parameters: {} }],
  ['the last one was taken away by a server-side apply, which leaves null', { ...least, parameters: null as never }],
])('parameters are none where %s', (_when, spec) => {
  expect(withDefaults(databaseSpec, spec).parameters).toEqual({});
});
