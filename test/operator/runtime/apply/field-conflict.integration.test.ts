import { describe, expect, test } from 'vitest';
import { ConfigMap, Deployment, type ObjectKind } from '../../../../operator/runtime/kubernetes/kinds.js';
import { givenRealHouse } from '../given/real-house.js';
import { conditionOf } from '../given/widgets.js';

const trips: string[] = [];
const house = givenRealHouse({ telemetry: { breakerTripped: ({ kind, reason }) => trips.push(`${kind} ${reason}`) } });

/** A field that a rival takes back each time, and how the API server is asked for it. */
const fields = [
  { kind: ConfigMap, name: 'war-a', field: 'data.size', path: '/data/size', of: (o: Fields) => o['data']?.size },
  {
    kind: Deployment,
    name: 'war',
    field: 'spec.template.spec.containers[main].image',
    path: '/spec/template/spec/containers/0/image',
    of: (o: Fields) => o['spec']?.template.spec.containers[0].image,
  },
];
// biome-ignore lint/suspicious/noExplicitAny: a path into an object of any kind has no better type
type Fields = Record<string, any>;

describe('on a real API server', () => {
  test.each(fields)('R21 a war over $field ends, and its manager is named', async ({ kind, name, field, path, of }) => {
    await house().apply('war', { maps: { a: { size: 'ours' } }, workload: true });
    await house().until(async () => house().read(kind, name));
    const value = async () => of((await house().read(kind, name)) ?? {});
    const ours = await value();
    for (let round = 0; round < 5; round++) {
      await house().until(async () => (await value()) === ours);
      await take(kind, name, path, `rival-${round}`);
    }
    const contested = async () => conditionOf(await house().read(house().kind, 'war'), 'FieldsConflicted');
    await house().until(async () => (await contested())?.['message'].includes(`${field} of ${kind.kind} ${name}`));
    expect(await contested()).toMatchObject({ status: 'True', reason: 'FieldManagerConflict' });
    expect((await contested())?.['message']).toContain('to rival, which changes it after each revert');
    expect(await value()).toBe('rival-4');
    expect(trips).toContain(`${kind.kind} FieldManagerConflict`);
  });
});

async function take(kind: ObjectKind, name: string, path: string, value: string): Promise<void> {
  const { namespace, cluster } = house();
  await cluster.patch(kind, { namespace, name }, [{ op: 'replace', path, value }], { manager: 'rival' });
}
