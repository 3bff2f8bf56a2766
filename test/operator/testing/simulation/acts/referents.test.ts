import { expect, it } from 'vitest';
import type { Controller } from '../../../../../operator/runtime/controller/controller.js';
import { Secret } from '../../../../../operator/runtime/kubernetes/kinds.js';
import type { GivenResource } from '../../../../../operator/testing/contract/trial/given-resource.js';
import { putBackCredentials } from '../../../../../operator/testing/simulation/acts/referents.js';
import { sceneOf } from '../../../../../operator/testing/simulation/environment/scene.js';
import { reader, readerController, secret } from '../../../runtime/given/readers.js';

it('at the end of a history, Secrets that systems need exist again, and other objects stay away', () => {
  const resource = reader('web', { key: 'key', more: ['other'] }) as GivenResource;
  const reads = [secret('key', 'a'), secret('other', 'b')];
  const scene = sceneOf(readerController as unknown as Controller, { resource, edited: {}, reads }, { seed: 1 });
  const { namespace = '' } = resource.metadata;
  scene.credentials.add(`${namespace}/key`);
  for (const live of scene.server.all(Secret)) scene.server.remove(Secret, live);
  putBackCredentials(scene);
  expect(scene.server.all(Secret).map(({ metadata }) => metadata.name)).toEqual(['key']);
});
