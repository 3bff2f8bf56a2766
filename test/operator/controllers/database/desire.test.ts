import { App, Chart } from 'cdk8s';
import { describe, expect, test } from 'vitest';
import { desire } from '../../../../operator/controllers/database/desire.js';
import { database } from '../../../../operator/controllers/database/index.js';
import type { DatabaseView } from '../../../../operator/controllers/database/view.js';
import type { Controller, Facts, LiveSecret } from '../../../../operator/runtime/index.js';
import { render } from '../../../../operator/runtime/rendering/render.js';
import { type Loose, live } from '../../../given.js';
import { drawn } from './given-answers.js';
import { type Changes, databaseView } from './given-view.js';

/** What is rendered, by kind and name. */
function rendered(view: DatabaseView): ReadonlyMap<string, Loose> {
  const chart = new Chart(new App(), 'resource', { namespace: 'shop' });
  desire(chart, view);
  return new Map(chart.toJson().map((object: Loose) => [`${object.kind} ${object.metadata.name}`, object]));
}

const known = { known: true, value: drawn, at: 0, earlier: [] } as const;
const drawing = (changes?: Changes): DatabaseView => {
  const view = databaseView(changes);
  return { ...view, polled: { ...view.polled, credentials: known } };
};
const namesOf = (kind: string, objects: ReadonlyMap<string, Loose>) =>
  [...objects.keys()]
    .filter((name) => name.startsWith(`${kind} `))
    .map((name) => name.slice(kind.length + 1))
    .toSorted();

/** The Secrets of these names, as an earlier pass made them. */
const made = (...names: readonly string[]): readonly LiveSecret[] =>
  [...rendered(drawing())]
    .filter(([name]) => names.some((one) => name === `Secret ${one}`))
    .map(([, secret]) => live(secret));
const all = ['orders-app', 'orders-ca', 'orders-internal', 'orders-superuser', 'orders-tls'];

describe('the Secrets of a Database', () => {
  test('are all made of what was drawn, and hold the same from then on, whatever is drawn later', () => {
    const first = rendered(drawing());
    expect(namesOf('Secret', first)).toEqual(all);
    const later = rendered(databaseView({ secrets: made(...all) }));
    for (const name of all) expect(later.get(`Secret ${name}`)).toEqual(first.get(`Secret ${name}`));
  });

  test('are not made of nothing while nobody has drawn any', () => {
    expect(namesOf('Secret', rendered(databaseView()))).toEqual([]);
    expect(namesOf('Secret', rendered(databaseView({ secrets: made('orders-superuser') })))).toEqual([
      'orders-superuser',
    ]);
  });

  test('an authority that is there signs what is missing, and what another one has signed is not taken', () => {
    const secrets = made('orders-ca');
    expect(namesOf('Secret', rendered(drawing({ secrets })))).toEqual(all);
    const other = { certificate: 'OTHER', key: 'OTHER KEY' };
    const value = { ...drawn, certified: { ...drawn.certified, authority: other } };
    const view = databaseView({ secrets });
    const polled = { ...view.polled, credentials: { ...known, value } };
    expect(namesOf('Secret', rendered({ ...view, polled }))).toEqual([
      'orders-ca',
      'orders-internal',
      'orders-superuser',
    ]);
  });

  test('an authority without a key can sign nothing: it goes, and no other is made beside it', () => {
    const secrets = made('orders-ca').map((secret) => ({ ...secret, data: { ...secret.data, 'tls.key': '' } }));
    expect(namesOf('Secret', rendered(drawing({ secrets })))).toEqual(['orders-internal', 'orders-superuser']);
  });

  test.each(all)(
    '%s of an earlier version loses the label by which Argo CD deletes it, and keeps what it holds',
    (name) => {
      const [secret] = made(name);
      if (!secret) throw new Error(`there is no Secret ${name}`);
      const labels = { ...secret.metadata.labels, 'app.kubernetes.io/instance': 'orders' };
      const others = made(...all.filter((other) => other !== name));
      const view = databaseView({ secrets: [...others, { ...secret, metadata: { ...secret.metadata, labels } }] });
      const desired = render(database as unknown as Controller, view as unknown as Facts);
      const madeOnce = desired.filter(({ kind, once }) => kind.kind === 'Secret' && once).map(({ key }) => key);
      expect(madeOnce.toSorted()).toEqual(all.filter((other) => other !== name).map((other) => `shop/${other}`));
      const after = desired.find(({ key }) => key === `shop/${name}`)?.manifest as Loose;
      expect(after.metadata.labels).not.toHaveProperty(['app.kubernetes.io/instance']);
      expect(after['data']).toEqual(secret.data);
    },
  );

  test.each(all)('line 10: that %s is not seen takes none of the others away', (unseen) => {
    const others = all.filter((name) => name !== unseen);
    const names = namesOf('Secret', rendered(databaseView({ secrets: made(...others) })));
    expect(names).toEqual(expect.arrayContaining(others));
  });
});

describe('the objects of a Database', () => {
  test('line 4: who shall hand over is asked to in the ConfigMap that Patroni reads, and nobody otherwise', () => {
    const asked = (changes?: Changes) =>
      rendered(databaseView(changes)).get('ConfigMap orders-failover')?.metadata.annotations;
    expect(asked()).toBeUndefined();
    expect(asked({ nodes: { 'node-1': { spec: { unschedulable: true } } } })).toEqual({ leader: 'orders-1' });
  });

  test('line 5: the pod that is to be replaced is left out, so that it goes', () => {
    const secrets = made(...all);
    expect(namesOf('Pod', rendered(databaseView({ secrets })))).toEqual(['orders-1', 'orders-2', 'orders-3']);
    const view = databaseView({ secrets });
    const edited = { ...view, resource: { ...view.resource, spec: { ...view.resource.spec, image: 'other' } } };
    expect(namesOf('Pod', rendered(edited as DatabaseView))).toEqual(['orders-1', 'orders-2']);
    expect(namesOf('PersistentVolumeClaim', rendered(edited as DatabaseView))).toHaveLength(3);
  });

  test('line 3: who is scaled away is marked on the claim', () => {
    const objects = rendered(databaseView({ secrets: made(...all), spec: { replicas: 2 } }));
    const marks = objects.get('PersistentVolumeClaim orders-3')?.metadata.annotations;
    expect(marks).toEqual({ 'reconstruct.dev/leaving': '2' });
    expect(namesOf('Pod', objects)).toEqual(['orders-1', 'orders-2']);
  });

  test('a deleted one that has nothing to save becomes nothing', () => {
    const metadata = { deletionTimestamp: '2030-01-01T00:00:00Z' };
    expect([...rendered(databaseView({ metadata }))]).toEqual([]);
  });

  test('line 8: a deleted one that is not saved yet goes on as it is', () => {
    const metadata = { deletionTimestamp: '2030-01-01T00:00:00Z' };
    const spec = { deletionPolicy: 'Snapshot', backup: { target: { volume: {} } }, replicas: 5 } as const;
    const objects = rendered(databaseView({ metadata, spec, secrets: made(...all) }));
    expect(namesOf('Pod', objects)).toEqual(['orders-1', 'orders-2', 'orders-3']);
  });
});
