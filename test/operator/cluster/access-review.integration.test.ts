import { describe, expect, it } from 'vitest';
import { reviewAccess } from '../../../operator/cluster/access-review.js';
import { kubeconfig } from '../../../operator/cluster/connection/kubeconfig.js';
import { Transport } from '../../../operator/cluster/http/transport.js';
import { freshNamespace, givenControlPlane } from '../../given/control-plane.js';

const controlPlane = givenControlPlane();

/** A token of a service account, which may see the metrics if it is bound to the role for that. */
async function tokenOf(name: string, { isBound }: { isBound: boolean }): Promise<string> {
  const namespace = await freshNamespace(controlPlane);
  const run = async (...command: string[]) => (await controlPlane.kubectl(command)).stdout.trim();
  await run('create', 'serviceaccount', name, '--namespace', namespace);
  if (isBound) {
    await run('create', 'clusterrole', `${namespace}-metrics`, '--non-resource-url=/metrics', '--verb=get');
    const subject = `--serviceaccount=${namespace}:${name}`;
    await run('create', 'clusterrolebinding', namespace, `--clusterrole=${namespace}-metrics`, subject);
  }
  return run('create', 'token', name, '--namespace', namespace);
}

describe('whether a token may see a page', () => {
  it.each([
    { answer: 'allowed', whose: 'bound to the role', token: () => tokenOf('prometheus', { isBound: true }) },
    { answer: 'forbidden', whose: 'of nobody special', token: () => tokenOf('somebody', { isBound: false }) },
    { answer: 'unknown', whose: 'forged', token: async () => 'e30.e30.e30' },
  ])('R32 † is $answer when it is $whose', async ({ answer, token }) => {
    const transport = new Transport(await kubeconfig(controlPlane.kubeconfig));
    expect(await reviewAccess(transport, await token(), '/metrics')).toBe(answer);
    await transport.close();
  });
});
