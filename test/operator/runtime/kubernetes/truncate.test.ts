import { expect, it } from 'vitest';
import { truncate } from '../../../../operator/runtime/kubernetes/truncate.js';

const half = '🚀'.slice(0, 1);

it.each([
  { text: 'ten bytes.', is: 'ten bytes.' },
  { text: 'more than that', is: 'more th…' },
  { text: '東京東京', is: '東京…' },
  { text: 'three🚀🚀', is: 'three…' },
  { text: `half ${half}`, is: 'half \ufffd' },
  { text: '', is: '' },
])('R34 of "$text" in 10 bytes is said "$is"', ({ text, is }) => {
  expect(truncate(text, 10)).toBe(is);
});
