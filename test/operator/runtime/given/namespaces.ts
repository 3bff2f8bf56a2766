import type { Controller, ControllerProps } from '../../../../operator/runtime/controller/controller.js';
import { defineController } from '../../../../operator/runtime/controller/define-controller.js';
import { RejectedError } from '../../../../operator/runtime/kubernetes/errors.js';
import { ConfigMap, Event, Namespace } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Manifest } from '../../../../operator/runtime/kubernetes/object.js';
import { ExternalCall } from '../../../../operator/runtime/rendering/external-call.js';
import type { MemoryCluster } from '../../../../operator/testing/index.js';
import type { Loose } from '../../../given.js';
import { GivenOperator } from './operator.js';
import { runs } from './oracle.js';
import { dns, givenNameService } from './records.js';
import { add } from './widgets.js';

/** Label with the address that a name for the Namespace leads to. */
export const label = 'example.org/address';
export const annotation = 'namespace.reconstruct.dev/conditions';

export function namespace(labels: Readonly<Record<string, string>> = {}, more: object = {}): Manifest {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', labels, ...more } };
}

/** Keeps a ConfigMap in each labelled Namespace, and its name in the name service. */
export function namespaceController(changes: Partial<ControllerProps> = {}): Controller {
  return defineController({
    kind: Namespace,
    reportsTo: 'annotation',
    selects: ({ metadata }) => metadata.labels?.[label] !== undefined,
    owns: [ConfigMap],
    polls: (ask) => ({
      found: ask(dns, ({ resource: { metadata } }) => ({ question: metadata.name, interval: 60_000 })),
    }),
    calls: [dns],
    finalizes: true,
    conditions: {
      Named: {
        Answers: ['True', 'The name leads to the address'],
        Publishing: ['Unknown', 'The name is being changed'],
        Refused: ['False', 'The name service refuses the name', 'Follow its words.'],
      },
    },
    desire: (scope, { resource: { metadata }, polled: { found } }) => {
      const address = metadata.deletionTimestamp === undefined ? metadata.labels?.[label] : undefined;
      if (address === 'none') throw new RejectedError('NoAddress', `labels: Invalid value: "none": must be an address`);
      const inside = { name: 'name', namespace: metadata.name };
      if (address !== undefined) add(scope, 'v1', 'ConfigMap', 'name', { metadata: inside, data: { address } });
      if (!found?.known || found.value.address === address) return;
      const request = { name: metadata.name, ...(address !== undefined && { address }) };
      new ExternalCall(scope, 'address', { port: dns, request, refreshes: ['found'] });
    },
    assess: ({ calls }) => {
      const call = calls.of('address');
      if (call.state === 'failed') return { conditions: { Named: { reason: 'Refused', message: call.why } } };
      return { conditions: { Named: { reason: call.state === 'none' ? 'Answers' : 'Publishing' } } };
    },
    ...(changes as object),
  });
}

/** An operator of Namespaces, and the name service. */
export async function givenNamespaces(
  changes: Partial<ControllerProps> = {},
  {
    memory,
    service = givenNameService(),
  }: { memory?: MemoryCluster; service?: ReturnType<typeof givenNameService> } = {},
) {
  const controllers = [namespaceController(changes)];
  const given = runs(new GivenOperator({ controllers, ports: [service.provided] }, memory));
  await given.start();
  const find = async () => (await given.memory.read(Namespace, { name: 'shop' })) as Loose | undefined;
  return {
    given,
    service,
    find,
    apply: (labels: Readonly<Record<string, string>>) => given.given(Namespace, namespace(labels)),
    remove: async () => {
      const { metadata } = (await find()) as Loose;
      await given.memory.remove(Namespace, { name: 'shop' }, { uid: metadata.uid });
    },
    /** `type=status reason: message`, as the annotation has them. */
    told: async () => {
      const text = (await find())?.metadata.annotations?.[annotation];
      const conditions = JSON.parse(text ?? '[]') as readonly Loose[];
      return conditions.map((one) => `${one['type']}=${one['status']} ${one['reason']}`);
    },
    events: async () => {
      const { items } = await given.memory.list(Event, {});
      return items.map((event) => `${(event as Loose)['reason']}: ${(event as Loose)['note']}`);
    },
    requests: () => service.performed.map(({ request }) => JSON.stringify(request)),
  };
}
