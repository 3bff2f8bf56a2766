import type { Controller, Finalization } from '../../../../operator/runtime/controller/controller.js';
import { Event, type ObjectKind } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import type { CallState } from '../../../../operator/runtime/ports/external-call.js';
import type { MemoryPort } from '../../../../operator/testing/contract/trial/memory-port.js';
import type { MemoryCluster } from '../../../../operator/testing/index.js';
import type { Loose } from '../../../given.js';
import { GivenOperator } from './operator.js';
import { runs } from './oracle.js';
import {
  givenNameService,
  type RecordCall,
  type RecordSpec,
  record,
  recordController,
  recordKind,
  unaskedWhenDeleted,
} from './records.js';
import { conditionOf } from './widgets.js';

/** The kind, for a cluster. */
export const kind = recordKind as ObjectKind;
/** The resource of the tests. */
export const web = { namespace: 'team', name: 'web' };
export const finalizer = 'reconstruct.dev/namerecord';

interface Options {
  readonly call?: RecordCall;
  readonly finalizes?: boolean | Finalization;
  readonly service?: MemoryPort;
  /** Another service that the controller may call. */
  readonly other?: MemoryPort;
  /** Hears each state of the call that is assessed. */
  readonly hears?: (call: CallState) => void;
  /** Milliseconds that the clock has moved on before the operator starts. @default 0 */
  readonly startsAt?: number;
  /** Nobody asks the service about a record that is deleted. @default false */
  readonly isUnaskedWhenDeleted?: boolean;
  readonly memory?: MemoryCluster;
  readonly faults?: (cluster: Cluster) => Cluster;
}

/** An operator of records, and the name service. */
export async function givenRecords({
  call,
  finalizes,
  service = givenNameService(call?.visibleWithin),
  other,
  hears = () => {},
  startsAt = 0,
  isUnaskedWhenDeleted = false,
  memory,
  faults,
}: Options = {}) {
  const own = recordController(call, finalizes);
  const services = [service, ...(other ? [other] : [])];
  const assess: Controller['assess'] = (outcome) => {
    hears(outcome.calls.of('address'));
    return own.assess(outcome);
  };
  const controller = { ...own, assess, calls: [...own.calls, ...(other ? [other.model.port] : [])] };
  const controllers: readonly Controller[] = [isUnaskedWhenDeleted ? unaskedWhenDeleted(controller) : controller];
  const options = { controllers, ports: services.map(({ provided }) => provided), ...(faults && { faults }) };
  const given = runs(new GivenOperator(options, memory));
  given.clock.freeze(startsAt);
  await given.start();
  const find = async () => (await given.memory.read(kind, web)) as Loose | undefined;
  return {
    given,
    service,
    find,
    apply: (spec: RecordSpec) => given.given(kind, record('web', spec)),
    remove: async () => {
      const { metadata } = (await find()) as Loose;
      await given.memory.remove(kind, web, { uid: metadata.uid });
    },
    told: async () => conditionOf(await find(), 'Published')?.['message'] as string | undefined,
    events: async () => {
      const { items } = await given.memory.list(Event, {});
      return items.map((event) => `${(event as Loose)['reason']}: ${(event as Loose)['note']}`);
    },
    /** The requests that reached the service. */
    requests: () => service.performed.map(({ request }) => JSON.stringify(request)),
  };
}

/** What reaches the service. */
export const one = '{"name":"web","address":"1"}';
export const two = '{"name":"web","address":"2"}';
export const none = '{"name":"web"}';
