import { beforeAll, describe, expect, test } from 'vitest';
import { PersistentVolumeClaim } from '../../../operator/index.js';
import { until } from '../../chaos/wait.js';
import { figure, seconds } from '../algorithm/figure.js';
import { read } from '../cluster/api.js';
import { givenNamespace } from '../cluster/given-namespace.js';
import { kubectl } from '../cluster/kubectl.js';
import { power, powerless, powerNote } from '../cluster/power.js';
import { small, TriedDatabase } from './given/tried-database.js';
import { nothing, told, Witnesses } from './given/witnesses.js';

const isLong = process.env['RECONSTRUCT_E2E_LONG'] === 'true';
const note = isLong ? powerNote : ' (left out: it waits five minutes, and RECONSTRUCT_E2E_LONG is not true)';

describe.skipIf(powerless || !isLong)(`a Database whose node is gone${note}`, () => {
  const namespace = givenNamespace('gone');
  const orders = new TriedDatabase(namespace, 'orders', { ...small, placement: { spread: 'Preferred' } });
  const witnesses = new Witnesses(orders);
  beforeAll(() => orders.begin());

  test('line 9: its instance is made elsewhere under the next number, and its volume is kept', async () => {
    let went = '';
    let uid: string | undefined;
    const endured = await witnesses.endure('gone', async (primary, writer) => {
      // Neither the primary's, nor that of who counts.
      const kept = [primary.spec.nodeName, writer.props.node];
      const [{ metadata, spec } = primary] = (await orders.pods()).filter((pod) => !kept.includes(pod.spec.nodeName));
      [went, uid] = [metadata.name, await uidOfClaim(metadata.name)];
      const node = spec.nodeName ?? '';
      await power('kill', node);
      try {
        await kubectl(['delete', 'node', node]);
        const deleted = Date.now();
        const isMade = async () => (await orders.pods()).some((pod) => pod.metadata.name === 'orders-4');
        await until(isMade, { what: 'orders-4 is made', within: 420_000, every: 1000 });
        figure(9, `made elsewhere ${seconds(deleted, Date.now())} after its Node was deleted`);
        await orders.until('three are ready', ({ status }) => status?.ready === '3/3', 240);
      } finally {
        await power('start', node);
        const isBack = async () => (await kubectl(['get', 'node', node, '--ignore-not-found'])).includes(' Ready');
        await until(isBack, { what: `${node} is back`, within: 90_000 });
      }
    });
    figure(9, `a gone node: ${told(endured)}`);
    expect(endured).toMatchObject(nothing);
    expect((await orders.pods()).map((pod) => pod.metadata.name)).not.toContain(went);
    const kept = await read(PersistentVolumeClaim, { namespace, name: went });
    expect(kept?.metadata).toMatchObject({ uid, labels: { 'reconstruct.dev/quarantined': 'true' } });
    expect(kept?.metadata.deletionTimestamp).toBeUndefined();
  }, 900_000);

  async function uidOfClaim(name: string): Promise<string | undefined> {
    return (await read(PersistentVolumeClaim, { namespace, name }))?.metadata.uid;
  }
});
