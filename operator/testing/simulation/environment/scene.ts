import type { Controller } from '../../../runtime/controller/controller.js';
import type { Polled, PollRequest } from '../../../runtime/controller/polls.js';
import { groupKindOf, groupOf, type ObjectKind } from '../../../runtime/kubernetes/kinds.js';
import { controllerOf, type LiveObject, type ObjectName } from '../../../runtime/kubernetes/object.js';
import { ownerAnnotationOf } from '../../../runtime/ownership/owner-annotation.js';
import { answerOf } from '../../contract/answers.js';
import type { ControllerCase } from '../../contract/controller-contract.js';
import { givenReads } from '../../contract/given-reads.js';
import { Chance } from './chance.js';
import { Expectations } from './expectations.js';
import { History } from './history.js';
import { epoch } from './process.js';
import { SimulatedServer } from './server.js';
import { VirtualTime } from './virtual-time.js';
import { type Fault, Weather } from './weather.js';

/** Which run it is. The same plan makes the same history, to the last byte. */
export interface Plan {
  readonly seed: number;
  /** Faults that never come. @default none */
  readonly without?: ReadonlySet<Fault>;
  /** Acts that are left out, by their number. @default none */
  readonly skipped?: ReadonlySet<number>;
}

/** What all that act in one run share. */
export interface Scene {
  readonly controller: Controller;
  readonly given: ControllerCase;
  /** Of the resources that there may be. */
  readonly names: readonly ObjectName[];
  readonly time: VirtualTime;
  readonly chance: Chance;
  readonly weather: Weather;
  readonly history: History;
  readonly server: SimulatedServer;
  readonly expectations: Expectations;
  /** The identities of all processes that ever ran. */
  readonly processes: Set<string>;
  /** UIDs of objects that are somebody else's: the operator must not touch them. */
  readonly foreign: Set<string>;
  /** UIDs of objects that somebody took from the operator: it may have them again, or not. */
  readonly released: Set<string>;
}

/** An empty world, of one seed. */
export function sceneOf(controller: Controller, given: ControllerCase, { seed, without }: Plan): Scene {
  const chance = new Chance(`${controller.name}/${seed}`);
  const time = new VirtualTime(chance.fork('time'));
  const history = new History(() => time.now);
  const server = new SimulatedServer(() => epoch + time.now, history);
  const weather = new Weather(chance.fork('weather'), without);
  const { name, namespace } = given.resource.metadata;
  const first = { name, ...(namespace !== undefined && { namespace }) };
  const names = chance.happens(0.6) ? [first] : [first, { ...first, name: `${name}-2` }];
  const answerTo = (name: string, { question }: PollRequest): Polled | undefined => {
    const at = epoch + time.now;
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
  return { controller, given, names, time, chance, weather, history, server, expectations, ...sets };
}

/** An object and its kind, which its JSON alone does not tell. */
export interface Found {
  readonly kind: ObjectKind;
  readonly object: LiveObject;
}

/** All objects of the kinds that the controller owns, whoever made them. */
export function objectsIn({ controller, server }: Scene): Found[] {
  return controller.owns.flatMap((kind) => server.all(kind).map((object) => ({ kind, object })));
}

/** The UID of the resource whose an object says it is; undefined if it is none of the controller's kind. */
export function ownerUidOf({ controller: { kind } }: Scene, object: LiveObject): string | undefined {
  const owner = controllerOf(object);
  if (owner) return owner.kind === kind.kind && groupOf(owner.apiVersion) === kind.group ? owner.uid : undefined;
  const claim = ownerAnnotationOf(object);
  return claim?.kind === groupKindOf(kind) ? claim.uid : undefined;
}

/** What says that it is a resource's. */
export function controlledBy(scene: Scene, uid: string): Found[] {
  return objectsIn(scene).filter(({ object }) => ownerUidOf(scene, object) === uid);
}
