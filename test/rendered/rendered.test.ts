import { describe, expect, it } from 'vitest';
import { systems } from '../../operator/controllers/index.js';
import { systemNames } from '../systems/parts.js';
import { casesOfSystems } from './all-cases.js';
import { rendered } from './rendered.js';

const quietly = () => {};

describe('a system', () => {
  it.each(systemNames)('has cases, which render its resources: %s', (name) => {
    const kinds = systems.find((one) => one.name === name)?.controllers.map(({ kind }) => kind.kind);
    const objects = (casesOfSystems.get(name) ?? []).flatMap((one) => one.objects);
    const hint = `test/rendered/cases/${name}.ts must have a case with a resource of ${kinds?.join(' or ')}`;
    expect(
      objects.filter(({ kind }) => kinds?.includes(kind)),
      hint,
    ).not.toEqual([]);
  });
});

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
