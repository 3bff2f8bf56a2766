import { describe, expect, test } from 'vitest';
import {
  ConfigMap,
  Deployment,
  Job,
  type ObjectKind,
  RoleBinding,
  StatefulSet,
} from '../../../operator/runtime/kinds.js';
import type { Manifest } from '../../../operator/runtime/object.js';
import { allowRecreation } from '../../../operator/runtime/replace-policy.js';
import { givenRealHouse } from './given-real-house.js';
import { add, conditionOf, type Widget } from './given-widgets.js';

/** A Widget of these tests becomes one object, whose fields are those of its spec. */
interface Given {
  readonly kind: ObjectKind;
  readonly field: string;
  readonly before: object;
  readonly after: object;
}

const pod = { restartPolicy: 'Never', containers: [{ name: 'main', image: 'main:1' }] };
const template = { metadata: { labels: { app: 'a', tier: 'a' } }, spec: pod };
const always = { ...template, spec: { ...pod, restartPolicy: 'Always' } };
const workload = (app: object, more: object = {}) => ({ selector: { matchLabels: app }, template: always, ...more });
const roleRef = (name: string) => ({ roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name } });
const otherJob = { ...template, spec: { ...pod, containers: [{ name: 'main', image: 'main:2' }] } };

const cases: readonly Given[] = [
  {
    kind: Deployment,
    field: 'spec.selector',
    before: { spec: workload({ app: 'a' }) },
    after: { spec: workload({ tier: 'a' }) },
  },
  {
    kind: StatefulSet,
    field: 'spec',
    before: { spec: workload({ app: 'a' }, { serviceName: 'a' }) },
    after: { spec: workload({ app: 'a' }, { serviceName: 'b' }) },
  },
  { kind: Job, field: 'spec.template', before: { spec: { template } }, after: { spec: { template: otherJob } } },
  {
    kind: ConfigMap,
    field: 'data',
    before: { immutable: true, data: { a: '1' } },
    after: { immutable: true, data: { a: '2' } },
  },
  { kind: RoleBinding, field: 'roleRef', before: roleRef('view'), after: roleRef('edit') },
];

const house = givenRealHouse({
  controller: () => ({
    owns: [Deployment, StatefulSet, Job, ConfigMap, RoleBinding],
    conditions: {},
    assess: () => ({ conditions: {} }),
    desire: (scope, { resource }) => {
      const { metadata, spec } = resource as Widget & { spec: { object: Manifest; recreate: boolean } };
      const { apiVersion, kind, ...content } = spec.object;
      const object = add(scope, apiVersion, kind, metadata.name, content);
      if (spec.recreate) allowRecreation(object);
    },
  }),
});

describe('on a real API server', () => {
  for (const recreate of [false, true]) {
    test.each(cases)(
      `R20 $kind.kind, whose $field cannot be changed, recreation allowed: ${recreate}`,
      async (given) => {
        const { kind, field, before, after } = given;
        const name = `${kind.kind.toLowerCase()}-${recreate}`;
        const object = { apiVersion: kind.group ? `${kind.group}/${kind.version}` : 'v1', kind: kind.kind };
        const bring = (content: object) =>
          house().apply(name, { object: { ...object, ...content }, recreate } as Widget['spec']);
        await bring(before);
        await house().until(async () => (await house().condition(name, 'Ready')) === 'True Ready');
        const first = await house().read(kind, name);
        const { metadata } = await bring(after);
        const observed = async () => (await house().read(house().kind, name))?.['status']?.observedGeneration;
        await house().until(async () => (await observed()) === metadata.generation);
        if (recreate) await house().until(async () => (await house().condition(name, 'Ready')) === 'True Ready');
        const second = await house().read(kind, name);
        expect(second?.metadata.uid === first?.metadata.uid).toBe(!recreate);
        const said = conditionOf(await house().read(house().kind, name), 'Blocked');
        expect(said?.['message']).toEqual(recreate ? undefined : expect.stringContaining(`${field} of ${kind.kind}`));
      },
    );
  }
});
