import { expect, test } from 'vitest';
import { type AuditedWrite, leaseDuration, writesOutsideTerms } from './lease-terms.js';

/** `a lease`: a takes or renews it; `a gives`: gives it back; `a lease 409`: was too late; `a`: writes. By the second. */
function history(text: string): readonly AuditedWrite[] {
  return text.split(', ').map((entry) => {
    const [seconds, process = '', act, code = '200'] = entry.split(' ');
    const holder = act === 'lease' ? process : act === 'gives' ? '' : undefined;
    return { at: Number(seconds) * 1000, process, what: 'patch', code: Number(code), holder, denied: false };
  });
}

test.each([
  { outside: [], when: 'a leader writes', seen: '0 a lease, 1 a, 2 a lease, 17 a' },
  { outside: ['a'], when: 'it writes after its term', seen: '0 a lease, 15.1 a' },
  { outside: ['b'], when: 'a standby writes', seen: '0 a lease, 1 b' },
  { outside: ['a'], when: 'it was paused and another leads', seen: '0 a lease, 16 b lease, 16.1 a, 17 b' },
  { outside: ['a'], when: 'it has given the lease back', seen: '0 a lease, 1 a gives, 2 a' },
  { outside: ['b'], when: 'another was too late for the lease', seen: '0 a lease, 1 b lease 409, 2 b, 3 a' },
  { outside: ['a'], when: 'nobody ever had the lease', seen: '1 a' },
  { outside: ['a'], when: 'the log is not in order', seen: '5 a, 1 a lease, 3 b lease' },
])('writes of $outside are outside when $when', ({ outside, seen }) => {
  expect(leaseDuration).toBe(15_000);
  expect(writesOutsideTerms(history(seen)).map((line) => line.split(' ')[1])).toEqual(outside);
});
