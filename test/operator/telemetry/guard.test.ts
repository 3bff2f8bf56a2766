import { describe, expect, it } from 'vitest';
import { type Admission, Guard } from '../../../operator/telemetry/guard.js';
import { FakeClock, settled } from '../fake-clock.js';

/** A guard whose questions the test answers. */
function given(answer: Admission | Error | 'never' = 'allowed') {
  const clock = new FakeClock();
  const asked: string[] = [];
  const guard = new Guard(clock, (token) => {
    asked.push(token);
    if (answer === 'never') return new Promise(() => {});
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  });
  return { clock, asked, guard, ask: (token: string) => guard.admission(`Bearer ${token}`) };
}

describe('a guard', () => {
  it.each([
    { header: undefined, when: 'nothing is shown' },
    { header: 'Basic YTpi', when: 'a password is shown' },
    { header: 'Bearer ', when: 'the token is empty' },
    { header: 'Bearer a b', when: 'there is more than a token' },
  ])('R32 asks nobody and admits nobody when $when', async ({ header }) => {
    const { guard, asked } = given();
    expect([await guard.admission(header), asked]).toEqual(['unknown', []]);
  });

  it.each([
    { answer: 'allowed' as const, ms: 60_000 },
    { answer: 'forbidden' as const, ms: 10_000 },
    { answer: 'unknown' as const, ms: 10_000 },
  ])('R32 believes $answer for $ms ms', async ({ answer, ms }) => {
    const { ask, asked, clock } = given(answer);
    await ask('a');
    await clock.advance(ms - 1);
    expect([await ask('a'), asked]).toEqual([answer, ['a']]);
    await clock.advance(1);
    await ask('a');
    expect(asked).toEqual(['a', 'a']);
  });

  it('R32 sends one review for concurrent requests with the same token', async () => {
    const { ask, asked } = given();
    expect(await Promise.all(['a', 'a', 'a'].map(ask))).toEqual(['allowed', 'allowed', 'allowed']);
    expect(asked).toEqual(['a']);
  });

  it('R32 sends at most four reviews at a time', async () => {
    const { ask, asked } = given('never');
    for (let n = 0; n < 4; n++) void ask(`${n}`);
    await expect(ask('one-too-many')).rejects.toThrow('too many token reviews');
    await settled();
    expect(asked).toEqual(['0', '1', '2', '3']);
  });

  it('R32 admits no request while reviews fail, and tries again', async () => {
    const { ask, asked } = given(new Error('no answer to Bearer a'));
    await expect(ask('a')).rejects.toThrow(/^the token could not be reviewed$/);
    await expect(ask('a')).rejects.toThrow();
    expect(asked).toEqual(['a', 'a']);
  });

  it('R32 forgets the token that was shown first when there are more than a hundred', async () => {
    const { ask, asked } = given();
    for (let n = 0; n <= 100; n++) await ask(`${n}`);
    await ask('100');
    await ask('0');
    expect(asked.slice(100)).toEqual(['100', '0']);
  });
});
