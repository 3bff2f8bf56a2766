import { expect, test } from 'vitest';
import { freshNamespace, givenControlPlane } from '../../given/control-plane.js';
import { quantities } from '../../given/quantities.js';
import { appliedOn } from '../given-applied.js';

/** What the API server makes of quantities, which it takes of any size for the limit of a volume. */
async function stored(written: readonly (string | number)[]): Promise<string[]> {
  const controlPlane = givenControlPlane();
  const namespace = await freshNamespace(controlPlane);
  const volumes = written.map((sizeLimit, index) => ({ name: `v${index}`, emptyDir: { sizeLimit } }));
  const template = {
    apiVersion: 'v1',
    kind: 'PodTemplate',
    metadata: { name: 'quantities', namespace },
    template: { metadata: {}, spec: { containers: [{ name: 'c', image: 'i' }], volumes } },
  };
  const [object] = await appliedOn(controlPlane, [template]);
  return object?.['template'].spec.volumes.map((volume: (typeof volumes)[number]) => volume.emptyDir.sizeLimit);
}

test('quantities as they are rendered are stored as they are', async () => {
  const rendered = quantities.map(([, one]) => one);
  expect(await stored(rendered)).toEqual(rendered);
});

test('quantities as they are written are the same ones to the API server', async () => {
  const expected = quantities.map(([, rendered, kept]) => kept ?? rendered);
  expect(await stored(quantities.map(([written]) => written))).toEqual(expected);
});
