import { expect, it } from 'vitest';
import { failureOf } from '../../../operator/egress/connections.js';

it.each([
  [
    new Error(
      'unable to verify the first certificate; if the root CA is installed locally, try running Node.js with --flag',
    ),
    'unable to verify the first certificate',
  ],
  [new Error('connect ECONNREFUSED 192.0.2.1:443'), 'connect ECONNREFUSED 192.0.2.1:443'],
  [Object.assign(new Error(''), { code: 'ETIMEDOUT' }), 'ETIMEDOUT'],
])('the failure %s is told without the advice of Node.js', (error, told) => {
  expect(failureOf(error)).toBe(told);
});
