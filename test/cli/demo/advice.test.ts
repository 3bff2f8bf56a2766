import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { type AdviceProps, adviceFor } from '../../../cli/demo/advice.js';

const given: AdviceProps = {
  kubeconfig: '/cluster/kubeconfig',
  ownCluster: true,
  resource: { name: 'reco', namespace: 'default' },
  resourceFile: '/package/resource.yaml',
  operator: { pid: 42, log: '/demo/operator.log', metrics: 'http://127.0.0.1:8080/metrics' },
};

describe('the advice', () => {
  test.each<[boolean, string, string, Partial<AdviceProps>]>([
    [true, 'are simulated', 'the demo started the cluster', {}],
    [false, 'are simulated', 'it was there before', { ownCluster: false }],
    [false, 'alias', 'the machine has a kubectl', {}],
    [true, "alias kubectl='/bin/kubernetes kubectl'", 'it has none', { kubectl: ['/bin/kubernetes', 'kubectl'] }],
    [true, 'export KUBECONFIG=/cluster/kubeconfig', 'always', {}],
    [true, 'kubectl delete service reco', 'the namespace is the default one', {}],
    [true, 'kubectl --namespace a delete', 'it is not', { resource: { name: 'reco', namespace: 'a' } }],
    [true, 'kill -9 42', 'always', {}],
  ])('is %s: "%s" when %s', (expected, text, _, change) => {
    expect(
      adviceFor({ ...given, ...change })
        .join('\n')
        .includes(text),
    ).toBe(expected);
  });

  test('quotes paths so that a shell reads them back', () => {
    const strange = "/it's a/$HOME";
    const lines = adviceFor({ ...given, kubeconfig: strange, kubectl: [strange, 'kubectl'] });
    const [set = '', alias = ''] = lines.filter((line) => /export|alias/.test(line));
    const read = (script: string) => execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' });
    expect(read(`${set}; printf %s "$KUBECONFIG"`)).toBe(strange);
    // The alias's value is itself a command line: what a shell makes of it once more are the words to run.
    const value = read(`${alias.replace('alias ', '')}; printf %s "$kubectl"`);
    expect(read(`printf '%s|' ${value}`)).toBe(`${strange}|kubectl|`);
  });
});
