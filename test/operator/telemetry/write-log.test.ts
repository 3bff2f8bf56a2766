import { expect, test } from 'vitest';
import { ConfigMap, Event, Lease } from '../../../operator/runtime/kubernetes/kinds.js';
import { silent } from '../../../operator/runtime/ports/telemetry.js';
import { withWriteLog } from '../../../operator/telemetry/write-log.js';
import { MemoryCluster } from '../../../operator/testing/index.js';
import { configMap } from '../../given.js';

test.each(['debug', 'info'] as const)(
  'what is written is told at level %s, but for events and leases',
  async (level) => {
    const lines: string[] = [];
    const log = {
      ...silent.log,
      [level]: (fields: object, line: string) => void lines.push(`${line} ${Object.values(fields).join(' ')}`),
    };
    const cluster = withWriteLog(new MemoryCluster(), log, level);
    const by = { manager: 'me' };
    const made = await cluster.create(ConfigMap, configMap('a'), by);
    await cluster.apply(ConfigMap, configMap('a', { data: { b: '1' } }), by);
    await cluster.patch(ConfigMap, made.metadata, [{ op: 'add', path: '/data/c', value: '2' }], by);
    await cluster.remove(ConfigMap, made.metadata, { uid: made.metadata.uid });
    for (const { kind } of [Event, Lease]) {
      const metadata = { name: 'b', namespace: 'team' };
      const of = kind === 'Event' ? Event : Lease;
      await cluster.create(of, { apiVersion: `${of.group}/${of.version}`, kind, metadata }, by);
    }
    await cluster.read(ConfigMap, made.metadata);
    expect(lines).toEqual([
      'Created object ConfigMap team/a',
      'Applied object ConfigMap team/a',
      'Patched object ConfigMap team/a',
      'Deleted object ConfigMap team/a',
    ]);
  },
);
