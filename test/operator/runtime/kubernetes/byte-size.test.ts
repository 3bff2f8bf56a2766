import { expect, test } from 'vitest';
import { byteSize } from '../../../../operator/runtime/kubernetes/byte-size.js';

test.each([
  { bytes: 0, text: '0 B' },
  { bytes: 0.5, text: '0.5 B' },
  { bytes: 1023, text: '1023 B' },
  { bytes: 1024, text: '1 KiB' },
  { bytes: 1.5 * 2 ** 30, text: '1.5 GiB' },
  { bytes: 2 ** 40, text: '1 TiB' },
  { bytes: 3000 * 2 ** 40, text: '3000 TiB' },
])('shows $bytes bytes as $text', ({ bytes, text }) => {
  expect(byteSize(bytes)).toBe(text);
});
