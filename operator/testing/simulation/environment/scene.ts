import type { Controller } from '../../../runtime/controller/controller.js';
import type { Polled, PollRequest } from '../../../runtime/controller/polls.js';
import { groupKindOf, groupOf, type ObjectKind } from '../../../runtime/kubernetes/kinds.js';
import { controllerOf, keyOf, type LiveObject, type ObjectName } from '../../../runtime/kubernetes/object.js';
import { ownerAnnotationOf } from '../../../runtime/ownership/ownership-labels.js';
import { answerOf } from '../../contract/trial/answers.js';
import type { ControllerCase } from '../../contract/trial/controller-case.js';
import { givenReads } from '../../contract/trial/given-resource.js';
import { type MemoryPort, memoryPorts } from '../../contract/trial/memory-port.js';
import { Chance } from './chance.js';
import { Expectations } from './expectations.js';
import { History } from './history.js';
import { epoch } from './process.js';
import { SimulatedServer } from './server.js';
import { VirtualTime } from './virtual-time.js';
import { type Fault, Weather } from './weather.js';

/** The input of a run. The same plan gives the same history. */
export interface Plan {
  readonly seed: number;
  /** Faults to disable. @default none */
  readonly without?: ReadonlySet<Fault>;
  /** Numbers of acts to skip. @default none */
  readonly skipped?: ReadonlySet<number>;
}

/** The shared state of all actors in one run. */
export interface Scene {
  readonly controller: Controller;
  readonly given: ControllerCase;
  /** Names of the resources. */
  readonly names: readonly ObjectName[];
  readonly time: VirtualTime;
  readonly chance: Chance;
  readonly weather: Weather;
  readonly history: History;
  readonly server: SimulatedServer;
  readonly expectations: Expectations;
  /** The systems that the controller calls. */
  readonly outside: readonly MemoryPort[];
  /** The longest interval of the polls of a system so far in milliseconds, by the name of its port. */
  readonly polling: Map<string, number>;
  /** The Secrets that polls of a system name, as `namespace/name`. */
  readonly credentials: Set<string>;
  /** How often others changed a system outside of the cluster. */
  readonly meddled: Map<MemoryPort, number>;
  /** The identities of all processes that ever ran. */
  readonly processes: Set<string>;
  /** UIDs of objects of other owners, which the operator must not change. */
  readonly foreign: Set<string>;
  /** UIDs of objects whose label or owner a user removed. The operator may adopt them again. */
  readonly released: Set<string>;
}

/** Creates the initial state of a run. */
export function sceneOf(controller: Controller, given: ControllerCase, { seed, without }: Plan): Scene {
  const chance = new Chance(`${controller.name}/${seed}`);
  const time = new VirtualTime(chance.fork('time'));
  const history = new History(() => time.now);
  const server = new SimulatedServer(() => epoch + time.now, history);
  const weather = new Weather(chance.fork('weather'), without);
  const { name, namespace } = given.resource.metadata;
  const first = { name, ...(namespace !== undefined && { namespace }) };
  // Two resources with one spec would want the same objects if the spec names them.
  const isAlone = chance.happens(0.6) || given.others !== undefined;
  const names = isAlone ? [first] : [first, { ...first, name: `${name}-2` }];
  const outside = memoryPorts(given.ports);
  const polling = new Map<string, number>();
  const credentials = new Set<string>();
  const answerTo = (name: string, { question, interval, secret }: PollRequest): Polled | undefined => {
    if (secret !== undefined) credentials.add(keyOf(typeof secret === 'string' ? { ...first, name: secret } : secret));
    const at = epoch + time.now;
    const port = controller.polls[name]?.port.name ?? '';
    polling.set(port, Math.max(polling.get(port) ?? 0, interval));
    const called = outside.find(({ model }) => model.port.name === port);
    if (called) return { known: true, value: called.trueAnswerTo(question), at, earlier: [] };
    const answer = answerOf(controller.polls[name]?.port, given.answers ?? [], { question, at });
    return answer && { known: true, value: answer.value, at, earlier: [] };
  };
  const expectations = new Expectations(controller, (kind) => server.all(kind), answerTo);
  for (const { kind, object } of givenReads(controller, given)) {
    server.apply(kind, object);
    if (!('status' in object)) continue;
    server.patch(kind, object.metadata, [{ op: 'add', path: '/status', value: object.status }], 'status');
  }
  const sets = { processes: new Set<string>(), foreign: new Set<string>(), released: new Set<string>() };
  return {
    controller,
    given,
    names,
    time,
    chance,
    weather,
    history,
    server,
    expectations,
    outside,
    polling,
    credentials,
    meddled: new Map(),
    ...sets,
  };
}

/** An object with its kind. */
export interface Found {
  readonly kind: ObjectKind;
  readonly object: LiveObject;
}

/** All objects of the kinds that the controller owns, including those of other owners. */
export function objectsIn({ controller, server }: Scene): Found[] {
  return controller.owns.flatMap((kind) => server.all(kind).map((object) => ({ kind, object })));
}

/** The UID of the owner of an object; undefined if the owner is not of the controller's kind. */
export function ownerUidOf({ controller: { kind } }: Scene, object: LiveObject): string | undefined {
  const owner = controllerOf(object);
  if (owner) return owner.kind === kind.kind && groupOf(owner.apiVersion) === kind.group ? owner.uid : undefined;
  const claim = ownerAnnotationOf(object);
  return claim?.kind === groupKindOf(kind) ? claim.uid : undefined;
}

/** The objects that name a resource as their owner. */
export function controlledBy(scene: Scene, uid: string): Found[] {
  return objectsIn(scene).filter(({ object }) => ownerUidOf(scene, object) === uid);
}
