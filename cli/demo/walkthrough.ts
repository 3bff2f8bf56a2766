import { Service } from '../../operator/runtime/kubernetes/kinds.js';
import type { LiveObject } from '../../operator/runtime/kubernetes/object.js';
import type { Cluster } from '../../operator/runtime/ports/cluster.js';
import type { Observer } from './observer.js';
import { isComplete, isReady, type Scene } from './scene.js';

/** The resource of the walkthrough, and the access to it. */
export interface WalkthroughProps {
  readonly observer: Observer;
  readonly cluster: Cluster;
  /** Receives a line before each act. */
  readonly say: (line: string) => void;
}

/** The field manager of the acts: those of a user. */
const manager = 'kubectl';

/**
 * Waits until the resource is ready, then acts as a user: changes the image, and deletes the Service. Resolves when the
 * operator has carried out the change and recreated the Service.
 */
export async function walkthrough(props: WalkthroughProps): Promise<void> {
  const { observer } = props;
  await observer.until((scene) => isReady(scene) && isComplete(scene, observer.props.controller));
  await changeImage(props);
  await deleteService(props);
}

async function changeImage({ observer, cluster, say }: WalkthroughProps): Promise<void> {
  const { controller, resource } = observer.props;
  const { image = '' } = (observer.scene.resource?.spec ?? {}) as { readonly image?: string };
  const value = nextVersion(image);
  say(`the demo changes spec.image to ${value}`);
  const patch = [{ op: 'add', path: '/spec/image', value }] as const;
  const { metadata } = await cluster.patch(controller.kind, resource, patch, { manager });
  const isSeen = (scene: Scene) => (scene.resource?.metadata.generation ?? 0) >= (metadata.generation ?? 0);
  await observer.until((scene) => isSeen(scene) && isReady(scene));
}

async function deleteService({ observer, cluster, say }: WalkthroughProps): Promise<void> {
  const [service] = servicesIn(observer.scene);
  if (!service) return;
  const { name, namespace = '', uid } = service.metadata;
  say(`the demo deletes Service ${name}`);
  await cluster.remove(Service, { name, namespace }, { uid });
  await observer.until((scene) => servicesIn(scene).some((other) => other.metadata.uid !== uid));
}

function servicesIn({ objects }: Scene): readonly LiveObject[] {
  return objects.filter(({ kind }) => kind === Service.kind);
}

/** The image with the last number of its tag increased: `server:2.1.5` after `server:2.1.4`. */
export function nextVersion(image: string): string {
  const tag = /^(.*:(?:[^/]*\D)?)(\d+)$/.exec(image);
  return tag ? `${tag[1]}${Number(tag[2]) + 1}` : `${image}:2`;
}
