import { describe, expect, it } from 'vitest';
import { rendered } from './rendered.js';

const quietly = () => {};

describe('the text of what controllers render', () => {
  it('is the same in two runs, with keys, certificates and Pods', async () => {
    const names = ['certificate-cluster-issuer', 'training-restart'];
    const text = await rendered(names, quietly);
    expect(text).toContain('# training-restart, another command');
    expect(await rendered(names, quietly)).toBe(text);
  });

  it('has objects, conditions and events of each stage, until nothing is left', async () => {
    const text = await rendered(['02-plain-server'], quietly);
    expect(text).toContain('--- Deployment shop/translator');
    expect(text).toContain('Algorithm shop/translator: Ready=True Ready: Every condition is met');
    expect(text).toContain('Algorithm translator: Normal Serving Reconcile: At least one replica is ready');
    const [, deletion = ''] = text.split('# 02-plain-server, deletion');
    expect(deletion).not.toContain('--- ');
  });
});
