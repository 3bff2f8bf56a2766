import type { Controller, ControllerProps, Finalization } from '../../../../operator/runtime/controller/controller.js';
import type { CustomResource } from '../../../../operator/runtime/controller/custom-resource.js';
import { defineController } from '../../../../operator/runtime/controller/define-controller.js';
import { ConfigMap, type ObjectKind } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Manifest } from '../../../../operator/runtime/kubernetes/object.js';
import type { Port } from '../../../../operator/runtime/ports/external-port.js';
import { ExternalCall, type ExternalCallProps } from '../../../../operator/runtime/rendering/external-call.js';
import { allowRejection } from '../../../../operator/runtime/rendering/object-policies.js';
import { MemoryPort, portModel } from '../../../../operator/testing/contract/trial/memory-port.js';
import { add, widget, widgetKind } from './widgets.js';

/** A record in a name service. */
export interface RecordSpec {
  readonly address?: string;
  /** Whether the record has a ConfigMap beside it, and whether others wait for one that may be rejected. */
  readonly map?: boolean | 'awaited' | 'optional';
}

interface NameRecord extends CustomResource {
  readonly spec: RecordSpec;
  readonly status?: object;
}

export const recordKind: ObjectKind<NameRecord> = {
  ...widgetKind,
  kind: 'NameRecord',
  plural: 'namerecords',
  statusFields: [...(widgetKind.statusFields ?? []), 'externalCalls'],
} as ObjectKind<NameRecord>;

export function record(name: string, spec: RecordSpec, namespace = 'team'): Manifest & { readonly spec: object } {
  return { ...widget(name, {}, { namespace }), kind: 'NameRecord', spec } as Manifest & { readonly spec: object };
}

type Names = Readonly<Record<string, string>>;
interface SetName {
  readonly name: string;
  /** Without one, the name is removed. */
  readonly address?: string;
}

export const dns: Port<string, { readonly address?: string }, SetName> = { name: 'dns' };

/** The name service: addresses by names. */
export const nameService = portModel(dns, {
  state: {} as Names,
  answer: (names, name) => ({ ...(names[name] !== undefined && { address: names[name] }) }),
  perform: (names, { name, address }) => {
    const { [name]: _, ...others } = names;
    return address === undefined ? others : { ...others, [name]: address };
  },
});

/** The port of a name service that shows a change within these milliseconds. It is the same object each time. */
function dnsWithin(visibleWithin: number | undefined): typeof dns {
  if (visibleWithin === undefined) return dns;
  const port = slower.get(visibleWithin) ?? { ...dns, visibleWithin };
  slower.set(visibleWithin, port);
  return port;
}

const slower = new Map<number, typeof dns>();

/** The name service at the port of `recordController({ visibleWithin })`. */
export const nameServiceWithin = (visibleWithin: number | undefined) => ({
  ...nameService,
  port: dnsWithin(visibleWithin),
});

export const givenNameService = (visibleWithin?: number) => new MemoryPort(nameServiceWithin(visibleWithin));

/** What a test changes about the calls of a record: their options, and when the name service shows a change. */
export type RecordCall = Partial<Omit<ExternalCallProps<SetName>, 'visibleWithin'>> & Pick<Port, 'visibleWithin'>;

/** Keeps a record in the name service. */
export function recordController(
  { visibleWithin, ...changes }: RecordCall = {},
  finalizes: boolean | Finalization = true,
  reporting: Pick<ControllerProps, 'name' | 'reportsTo'> = {},
): Controller {
  const port = dnsWithin(visibleWithin);
  return defineController({
    kind: recordKind,
    owns: [ConfigMap],
    polls: (ask) => ({
      found: ask(port, ({ resource: { metadata } }) => ({ question: metadata.name, interval: 60_000 })),
    }),
    calls: [port],
    finalizes,
    conditions: {
      Published: {
        Answers: ['True', 'The name service answers'],
        Publishing: ['Unknown', 'The record is being published'],
        Refused: ['False', 'The name service refuses the record', 'Follow its words.'],
        Unreachable: ['Unknown', 'The name service does not answer'],
      },
    },
    desire: (scope, { resource: { metadata, spec }, polled: { found } }) => {
      const isDeleting = metadata.deletionTimestamp !== undefined;
      if (spec.map && !isDeleting) {
        const map = add(scope, 'v1', 'ConfigMap', `${metadata.name}-map`);
        if (spec.map !== true) allowRejection(map, 'raise the quota', { holdsUp: spec.map === 'awaited' });
      }
      if (!found?.known) return;
      const address = isDeleting ? undefined : spec.address;
      if (found.value.address === address) return;
      const request = { name: metadata.name, ...(address !== undefined && { address }) };
      new ExternalCall(scope, 'address', { port, request, refreshes: ['found'], ...changes });
    },
    assess: ({ calls, polled: { found } }) => {
      const call = calls.of('address');
      if (call.state === 'failed')
        return {
          conditions: {
            Published: {
              reason: call.kind === 'unreachable' ? 'Unreachable' : 'Refused',
              message: `${call.kind}: ${call.why}`,
            },
          },
        };
      if (!found?.known) return { conditions: { Published: { reason: 'Unreachable', message: found?.why ?? '' } } };
      return {
        conditions: { Published: { reason: call.state === 'none' ? 'Answers' : 'Publishing', message: call.state } },
      };
    },
    ...reporting,
  });
}

/** The same, for a service that goes with its records: nobody asks it about one that is deleted. */
export function unaskedWhenDeleted(controller: Controller): Controller {
  const { found } = controller.polls;
  if (!found) throw new Error('the controller polls nothing');
  const request: typeof found.request = (facts) =>
    facts.resource.metadata.deletionTimestamp === undefined ? found.request(facts) : undefined;
  return { ...controller, polls: { found: { ...found, request } } };
}
