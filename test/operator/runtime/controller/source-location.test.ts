import { expect, test } from 'vitest';
import { sourceLocationOf } from '../../../../operator/runtime/controller/user-code.js';
import { ApiError } from '../../../../operator/runtime/kubernetes/errors.js';

function withFrames(...frames: readonly string[]): Error {
  return Object.assign(new Error('boom'), {
    stack: ['Error: boom', ...frames.map((one) => `    at ${one}`)].join('\n'),
  });
}

const place = { file: '/srv/my site/site.js', line: 7, column: 3 };

test.each([
  { what: 'a module', error: withFrames('desire (file:///srv/my%20site/site.js:7:3)') },
  { what: 'a module, outside of any function', error: withFrames('file:///srv/my%20site/site.js:7:3') },
  { what: 'an asynchronous module', error: withFrames('async file:///srv/my%20site/site.js:7:3') },
  { what: 'a method', error: withFrames('async Site.desire [as made] (/srv/my site/site.js:7:3)', 'x (/y.js:1:1)') },
  {
    what: 'what calls a library',
    error: withFrames('node:internal/x:1:2', 'f (file:///srv/node_modules/l/l.js:1:2)', 'g (/srv/my site/site.js:7:3)'),
  },
  { what: 'what was thrown first', error: new Error('no', { cause: withFrames('g (/srv/my site/site.js:7:3)') }) },
])('$what is found', ({ error }) => {
  expect(sourceLocationOf(error)).toEqual(place);
});

test.each([
  { what: 'a text', error: 'boom' },
  { what: 'an answer of the API server', error: new ApiError('no', { code: 422, reason: 'Invalid' }) },
  { what: 'libraries alone', error: withFrames('f (file:///srv/node_modules/l/l.js:1:2)', 'node:internal/x:1:2') },
])('of $what there is none', ({ error }) => {
  expect(sourceLocationOf(error)).toBeUndefined();
});
