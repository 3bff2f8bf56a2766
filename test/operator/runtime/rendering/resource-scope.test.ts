import { Names } from 'cdk8s';
import { Deployment as Servers } from 'cdk8s-plus-27';
import { Construct } from 'constructs';
import { describe, expect, test } from 'vitest';
import { Deployment, type ObjectKind, Service } from '../../../../operator/runtime/kubernetes/kinds.js';
import { render } from '../../../../operator/runtime/rendering/render.js';
import { factsOf } from '../../../../operator/testing/index.js';
import type { Loose } from '../../../given.js';
import { widget, widgetController, widgetKind } from '../given/widgets.js';

/** The construct that most authors reach for first. */
const desire = (scope: Construct, { resource: { metadata } }: { resource: { metadata: { name: string } } }) => {
  const { name } = metadata;
  new Servers(scope, 'servers', {
    metadata: { name },
    containers: [{ image: 'nginx:1', portNumber: 8080 }],
  }).exposeViaService({ name });
};

interface Identity {
  readonly namespace?: string;
  readonly name?: string;
  readonly controller?: string;
  readonly kind?: Partial<ObjectKind>;
}

const addressLabel = 'cdk8s.io/metadata.addr';

/** The selectors of the Deployment and of the Service, and the label of the Pods. */
function labelsOf({ namespace = 'team', name = 'web', controller = 'widget', kind = {} }: Identity) {
  const rendering = widgetController({ name: controller, kind: { ...widgetKind, ...kind } as ObjectKind, desire });
  const resource = widget(name, {}, { namespace });
  const found = (sought: ObjectKind) =>
    render(rendering, factsOf(resource)).find((one) => one.kind.kind === sought.kind)?.manifest as Loose;
  const { selector, template } = found(Deployment)['spec'];
  const labels = [
    selector.matchLabels[addressLabel],
    template.metadata.labels[addressLabel],
    found(Service)['spec'].selector[addressLabel],
  ] as readonly string[];
  return new Set(labels);
}

describe('R34 the Pods of an L2 construct', () => {
  const long = `${'a'.repeat(240)}`;
  test.each<[string, Identity, Identity]>([
    ['name', { name: 'web' }, { name: 'web-2' }],
    ['name with a dot', { name: 'web.2' }, { name: 'web-2' }],
    ['end of a long name', { name: `${long}-1` }, { name: `${long}-2` }],
    ['namespace', { namespace: 'team' }, { namespace: 'other' }],
    ['namespace, where the parts run together', { namespace: 'a', name: 'b-c' }, { namespace: 'a-b', name: 'c' }],
    ['kind', {}, { kind: { kind: 'Gadget' } }],
    ['group', {}, { kind: { group: 'example.com' } }],
    ['controller', {}, { controller: 'second' }],
    ['controller, of which cdk8s hides one name', {}, { controller: 'Default' }],
  ])('belong to no other resource: another %s', (_, one, other) => {
    const [mine, theirs] = [labelsOf(one), labelsOf(other)];
    expect([mine.size, theirs.size]).toEqual([1, 1]);
    expect([...mine]).not.toEqual([...theirs]);
  });

  test('keep 48 bits of the identity, because cdk8s hashes the path to 24', () => {
    const stems = ['web', 'web-2'].map((name) => [...labelsOf({ name })][0]?.replace(/-c8\w{6}$/, ''));
    expect(stems[0]).toMatch(/^[0-9a-f]{12}-web-servers$/);
    expect(new Set(stems.map((stem) => stem?.slice(0, 12))).size).toBe(2);
  });

  test('have the same label in each render, whatever the version of the kind and the spec', () => {
    expect(labelsOf({ kind: { version: 'v2' } })).toEqual(labelsOf({}));
  });

  test.each(['web', 'web.example.org', long, 'default', 'resource'])('have a valid label: %s', (name) => {
    expect([...labelsOf({ name })][0]).toMatch(/^[0-9a-z]([-0-9a-z]{0,61}[0-9a-z])?$/);
  });
});

test('a name that a construct derives from its path is a DNS label', () => {
  const names: string[] = [];
  const controller = widgetController({
    desire: (scope) => {
      names.push(Names.toDnsLabel(new Construct(scope, 'volumes'), { extra: ['data'] }));
    },
  });
  for (const name of ['web', 'web.example.org', 'a'.repeat(253)]) render(controller, factsOf(widget(name)));
  for (const name of names) expect(name).toMatch(/^[0-9a-z]([-0-9a-z]{0,61}[0-9a-z])?$/);
  expect(new Set(names).size).toBe(3);
});
