import { describe, expect, it } from 'vitest';
import type { LiveObject, Manifest } from '../../../../operator/runtime/kubernetes/object.js';
import { AppliedState } from '../../../../operator/runtime/memory/applied-state.js';
import { configMap, live } from '../../../given.js';

describe('an object is settled', () => {
  const wish = (data: Record<string, string>, applied = 'x.y'): Manifest =>
    configMap('a', { data, annotations: { 'reconstruct.dev/applied': applied } });
  const at = (data: Record<string, string>, applied?: string): LiveObject => live(wish(data, applied));

  it.each([
    { is: true, when: 'it carries the fingerprint and states the wish', has: at({ a: '1' }) },
    { is: false, when: 'it carries another fingerprint', has: at({ a: '1' }, 'old.y') },
    { is: false, when: 'it drifted', has: at({ a: '2' }) },
  ])('R17: $is when $when', ({ is, has }) => {
    expect(new AppliedState().has(has, wish({ a: '1' }))).toBe(is);
  });

  it('R17 when it states what the server made of the wish, for as long as it does', () => {
    const appliedState = new AppliedState();
    const wanted = wish({ a: '1.0' });
    appliedState.note(at({ a: '1' }), wanted);
    expect(appliedState.has(at({ a: '1' }), wanted)).toBe(true);
    expect(appliedState.has(live(at({ a: '1', theirs: '1' })), wanted)).toBe(true);
    expect(appliedState.has(at({ a: '3' }), wanted)).toBe(false);
    expect(appliedState.has(at({ a: '1' }, 'new.y'), wish({ a: '1.0' }, 'new.y'))).toBe(false);
    expect(appliedState.has(live(at({ a: '1' }), { uid: 'another' }), wanted)).toBe(false);
  });

  it('R17 not by an answer that a later one replaced', () => {
    const appliedState = new AppliedState();
    const wanted = wish({ a: '1.0' });
    appliedState.note(at({ a: '1' }), wanted);
    appliedState.note(at({ a: '1.0' }), wanted);
    expect(appliedState.has(at({ a: '1' }), wanted)).toBe(false);
  });
});
