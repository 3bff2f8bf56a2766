import { ApiObject } from 'cdk8s';
import { Deployment as Servers } from 'cdk8s-plus-27';
import type { Construct } from 'constructs';
import { describe, expect, it } from 'vitest';
import { RejectedError } from '../../../../operator/runtime/kubernetes/errors.js';
import { render } from '../../../../operator/runtime/rendering/render.js';
import { kindPosition } from '../../../../operator/runtime/rendering/waves.js';
import { KubeObject } from '../../../../src/index.js';
import { live } from '../../../given.js';
import { add, widget, widgetController } from '../given/widgets.js';

/** What a controller renders that puts this into its scope. */
function rendered(build: (scope: Construct) => void) {
  const controller = widgetController({ desire: build });
  const owned = { of: () => [], one: () => undefined, all: () => [] };
  return render(controller, {
    ...{ resource: live(widget('web')), owned, siblings: owned },
    ...{ isServed: () => true, reads: {}, polled: {}, now: new Date(0) },
  });
}

/** What `exposeViaService` is called on. */
const servers = (scope: Construct, name: string) =>
  new Servers(scope, 'servers', { metadata: { name }, containers: [{ image: 'nginx:1', portNumber: 8080 }] });

/** Names by their waves, as written. */
const waves = (build: (scope: Construct) => void) =>
  rendered(build)
    .toSorted((a, b) => a.wave - b.wave)
    .map(({ kind, key }) => `${kind.kind} ${key}`);

describe('the objects of a controller', () => {
  it('is in the namespace of the resource, under the name that it gave', () => {
    const [object] = rendered((scope) => add(scope, 'v1', 'ConfigMap', 'a', { data: { b: '1' } }));
    expect(object).toMatchObject({
      key: 'team/a',
      kind: { kind: 'ConfigMap', plural: 'configmaps' },
      manifest: { metadata: { name: 'a', namespace: 'team' }, data: { b: '1' } },
    });
  });

  it.each([
    {
      message: 'widget renders Secret a, which it does not own: add Secret to owns',
      when: 'a kind is not owned',
      build: (scope: Construct) => add(scope, 'v1', 'Secret', 'a'),
    },
    {
      message: 'widget renders Deployment a, which it does not own: add Deployment.example.org to owns',
      when: 'a kind is of another group',
      build: (scope: Construct) => add(scope, 'example.org/v1', 'Deployment', 'a'),
    },
    {
      message: 'an owner reference does not reach beyond team',
      when: 'it is in another namespace',
      build: (scope: Construct) => {
        const metadata = { name: 'a', namespace: 'other' };
        new KubeObject(scope, 'a', { apiVersion: 'v1', kind: 'ConfigMap', metadata });
      },
    },
    {
      message: 'widget renders ConfigMap team/a twice: give each object its own name',
      when: 'two have one name',
      build: (scope: Construct) => {
        for (const id of ['one', 'two'])
          new ApiObject(scope, id, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } });
      },
    },
    {
      message:
        'ConfigMap at one has no name: set metadata.name, or the option name of the method that creates it, to ' +
        "childName(resource.metadata.name, 'one')",
      when: 'it has no name',
      build: (scope: Construct) => new ApiObject(scope, 'one', { apiVersion: 'v1', kind: 'ConfigMap' }),
    },
    {
      message:
        "Service at servers/Service has no name: set metadata.name, or the option name of the method that creates it, to childName(resource.metadata.name, 'service')",
      when: 'a method of an L2 construct creates it without a name',
      build: (scope: Construct) => servers(scope, 'web').exposeViaService(),
    },
    {
      message:
        "ConfigMap at 9 Lives_of_a_very_long_identifier has no name: set metadata.name, or the option name of the method that creates it, to childName(resource.metadata.name, 'configmap')",
      when: 'its construct has an id that is no suffix',
      build: (scope: Construct) =>
        new ApiObject(scope, '9 Lives_of_a_very_long_identifier', { apiVersion: 'v1', kind: 'ConfigMap' }),
    },
  ])("is refused as the controller's fault when $when", ({ message, build }) => {
    expect(() => rendered(build)).toThrow(message);
    expect(() => rendered(build)).not.toThrow(RejectedError);
  });

  it('R27 is rejected with all complaints of its constructs', () => {
    const build = (scope: Construct) => {
      const object = add(scope, 'v1', 'ConfigMap', 'a');
      object.node.addValidation({ validate: () => ['set a', 'set b'] });
    };
    expect(() => rendered(build)).toThrow(new RejectedError('Invalid', 'set a; set b'));
  });
});

describe('the order in which objects are written', () => {
  it('R19 is that of their kinds', () => {
    const order = waves((scope) => {
      add(scope, 'autoscaling/v2', 'HorizontalPodAutoscaler', 'a');
      add(scope, 'apps/v1', 'Deployment', 'a');
      add(scope, 'v1', 'Service', 'a');
      add(scope, 'v1', 'ConfigMap', 'a');
    });
    expect(order).toEqual([
      'ConfigMap team/a',
      'Service team/a',
      'Deployment team/a',
      'HorizontalPodAutoscaler team/a',
    ]);
  });

  it('R19 is that of what needs what: namespaces first, autoscalers last', () => {
    const rbac = 'rbac.authorization.k8s.io';
    const order = [
      { group: '', kind: 'Namespace' },
      { group: '', kind: 'ServiceAccount' },
      { group: rbac, kind: 'Role' },
      { group: rbac, kind: 'RoleBinding' },
      { group: '', kind: 'ConfigMap' },
      { group: '', kind: 'Service' },
      { group: 'apps', kind: 'StatefulSet' },
      { group: 'autoscaling', kind: 'HorizontalPodAutoscaler' },
    ].map(kindPosition);
    expect(order).toEqual([...new Set(order)].sort((a, b) => a - b));
    const same = (...kinds: { group: string; kind: string }[]) => new Set(kinds.map(kindPosition)).size === 1;
    expect(same({ group: rbac, kind: 'Role' }, { group: rbac, kind: 'ClusterRole' })).toBe(true);
    expect(same({ group: '', kind: 'ConfigMap' }, { group: '', kind: 'PersistentVolumeClaim' })).toBe(true);
    expect(same({ group: 'apps', kind: 'Deployment' }, { group: 'example.org', kind: 'Unheard' })).toBe(true);
  });

  it('R19 follows what the constructs depend on first', () => {
    const order = waves((scope) => {
      const [a, b, c] = ['a', 'b', 'c'].map((name) => add(scope, 'v1', 'ConfigMap', name));
      const deployment = add(scope, 'apps/v1', 'Deployment', 'first');
      if (!a || !b || !c) throw new Error('not made');
      a.addDependency(b);
      b.addDependency(c);
      c.addDependency(deployment);
    });
    expect(order).toEqual(['Deployment team/first', 'ConfigMap team/c', 'ConfigMap team/b', 'ConfigMap team/a']);
  });

  it('R19 is found for objects that depend on each other in a circle', () => {
    const build = (scope: Construct) => {
      const [a, b] = ['a', 'b'].map((name) => add(scope, 'v1', 'ConfigMap', name));
      if (!a || !b) throw new Error('not made');
      a.node.addDependency(b);
      b.node.addDependency(a);
    };
    expect(waves(build)).toHaveLength(2);
  });
});
