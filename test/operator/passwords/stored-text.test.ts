import { describe, expect, it } from 'vitest';
import { drawnOnce, storedText } from '../../../operator/passwords/stored-text.js';
import type { LiveSecret } from '../../../operator/runtime/index.js';

const secret = (name: string, data?: object) => ({ metadata: { name }, data }) as unknown as LiveSecret;

describe('the secret text of a resource', () => {
  it.each([
    { is: 'drawn', secrets: [secret('other'), secret('token', { token: 'ZHJhd24=' })], when: 'its Secret has it' },
    { is: undefined, secrets: [secret('other', { token: 'ZHJhd24=' })], when: 'another Secret has it' },
    { is: undefined, secrets: [secret('token', { key: 'ZHJhd24=' })], when: 'another key has it' },
    { is: undefined, secrets: [secret('token', { token: '' })], when: 'it is empty' },
    { is: undefined, secrets: [secret('token')], when: 'its Secret has no data' },
  ])('is $is if $when', ({ is, secrets }) => {
    expect(storedText(secrets, { name: 'token', key: 'token' })).toBe(is);
  });

  it('is drawn anew for another resource of the name', () => {
    const of = (uid: string) =>
      drawnOnce({ metadata: { name: 'a', namespace: 'b', uid } } as never, { key: 'token', length: 8 });
    expect(of('1').question).toEqual({ replaces: 'b/a 1', length: 8, charset: 'Alphanumeric', keys: ['token'] });
    expect(of('1')).toEqual(of('1'));
    expect(of('2').question).not.toEqual(of('1').question);
  });
});
