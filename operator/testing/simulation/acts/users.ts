import { keyOf, type LiveObject, type ObjectName } from '../../../runtime/kubernetes/object.js';
import { editableOf, withEditable } from '../../contract/trial/given-resource.js';
import type { Scene } from '../environment/scene.js';
import type { Act } from './act.js';

/** Milliseconds between two checks whether a name is free. */
const untilFree = 250;

const writes: Act = (scene, chance) => {
  const { given } = scene;
  const rejected = given.rejected === undefined ? [] : [given.rejected];
  const original = editableOf(given.resource);
  const spec = chance.pick([original, original, given.edited, given.edited, ...rejected]);
  return write(scene, chance.pick(scene.names), spec);
};

const annotates: Act = ({ server, controller, names }, chance) => {
  const resource = server.find(controller.kind, chance.pick(names));
  if (!resource) return undefined;
  const { apiVersion, kind, metadata } = resource;
  const annotations = { 'example.org/note': String(Math.floor(chance.between(0, 1000))) };
  const { name, namespace } = metadata;
  const named = { name, ...(namespace !== undefined && { namespace }) };
  server.apply(controller.kind, { apiVersion, kind, metadata: { ...named, annotations } }, 'annotator');
  return `annotates ${kind} ${keyOf(metadata)}`;
};

const removes: Act = ({ server, controller, names }, chance) => {
  const resource = server.find(controller.kind, chance.pick(names));
  if (!resource) return undefined;
  server.remove(controller.kind, resource);
  return `removes ${resource.kind} ${keyOf(resource.metadata)}`;
};

const replaces: Act = (scene, chance) => {
  const { server, controller, given, names } = scene;
  const name = chance.pick(names);
  const resource = server.find(controller.kind, name);
  if (!resource) return undefined;
  server.remove(controller.kind, resource);
  makeWhenFree(scene, { resource, name, spec: chance.pick([editableOf(given.resource), given.edited]) });
  return `replaces ${resource.kind} ${keyOf(name)}`;
};

/** Creates a resource after the earlier one with the same name is deleted. */
function makeWhenFree(scene: Scene, wanted: { resource: LiveObject; name: ObjectName; spec: object }): void {
  const { server, controller, time, history } = scene;
  const there = server.find(controller.kind, wanted.name);
  if (there?.metadata.uid === wanted.resource.metadata.uid) {
    time.after(untilFree, () => makeWhenFree(scene, wanted));
    return;
  }
  if (!there) history.say('user', write(scene, wanted.name, wanted.spec));
}

/** A user applies a resource with a spec. */
export function write({ server, controller, given }: Scene, name: ObjectName, spec: object): string {
  const edited = withEditable(given.resource, spec);
  const object = { ...edited, metadata: { ...edited.metadata, ...name } };
  server.apply(controller.kind, object);
  return `applies ${object.kind} ${keyOf(name)} ${JSON.stringify(spec)}`;
}

/** Acts of users on resources. */
export const users: readonly Act[] = [writes, writes, writes, writes, annotates, removes, replaces];
