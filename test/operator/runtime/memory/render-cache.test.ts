import { afterEach, beforeEach, expect, it } from 'vitest';
import type { CustomResource } from '../../../../operator/runtime/controller/custom-resource.js';
import { Deployment } from '../../../../operator/runtime/index.js';
import { ConfigMap } from '../../../../operator/runtime/kubernetes/kinds.js';
import { ObservedDependencies } from '../../../../operator/runtime/memory/observed-dependencies.js';
import { RenderCache } from '../../../../operator/runtime/memory/render-cache.js';
import type { Desired } from '../../../../operator/runtime/rendering/render.js';
import { settled } from '../../fake-clock.js';
import { GivenHouse } from '../given/house.js';
import { widget, widgetKind } from '../given/widgets.js';

let house: GivenHouse;
let resource: CustomResource;
beforeEach(async () => {
  house = new GivenHouse();
  await house.given(widgetKind, widget('web'));
  resource = known();
});
afterEach(() => house.close());

const known = () => house.stores.of(widgetKind).get('team/web') as CustomResource;
const manifest = (kind: string, name: string) => ({ apiVersion: 'v1', kind, metadata: { name, namespace: 'team' } });
const desired: readonly Desired[] = [
  {
    ...{ kind: ConfigMap, key: 'team/a', manifest: manifest('ConfigMap', 'a'), wave: 1 },
    replace: 'never',
    once: true,
    crossNamespace: false,
  },
  {
    ...{ kind: Deployment, key: 'x/b', manifest: manifest('Deployment', 'b'), wave: 0 },
    replace: 'recreate',
    once: false,
    crossNamespace: true,
  },
];

it('R17 gives what was rendered, and what was looked at for it', () => {
  const rendered = new RenderCache();
  expect(rendered.of(resource, house.place)).toBeUndefined();
  const dependencies = new ObservedDependencies();
  rendered.keep(resource, { desired, dependencies }, house.place);
  const found = rendered.of(resource, house.place);
  expect(found?.desired).toEqual(desired);
  expect(found?.dependencies).toBe(dependencies);
  // It may be changed on its way to the API server.
  expect(rendered.of(resource, house.place)?.desired[0]?.manifest).not.toBe(found?.desired[0]?.manifest);
});

it('R17 gives nothing of a resource that was forgotten, or of another one', () => {
  const rendered = new RenderCache();
  rendered.keep(resource, { desired, dependencies: new ObservedDependencies() }, house.place);
  const other = { ...resource, metadata: { ...resource.metadata, uid: 'another' } };
  expect(rendered.of(other, house.place)).toBeUndefined();
  rendered.forget(resource.metadata.uid);
  expect(rendered.of(resource, house.place)).toBeUndefined();
});

it.each(['now', 'elsewhere'] as const)('R17 keeps nothing where %s was looked at, and nothing from before', (what) => {
  const rendered = new RenderCache();
  rendered.keep(resource, { desired, dependencies: new ObservedDependencies() }, house.place);
  rendered.keep(
    resource,
    { desired, dependencies: Object.assign(new ObservedDependencies(), { [what]: true }) },
    house.place,
  );
  expect(rendered.of(resource, house.place)).toBeUndefined();
});

it('R17 keeps nothing of a resource that has changed since it was looked at', async () => {
  const rendered = new RenderCache();
  const keep = () => rendered.keep(resource, { desired, dependencies: new ObservedDependencies() }, house.place);
  keep();
  await house.given(widgetKind, widget('web', { maps: { a: {} } }));
  expect(known()).not.toBe(resource);
  expect(rendered.of(known(), house.place)).toBeUndefined();
  keep();
  expect(rendered.of(known(), house.place)).toBeUndefined();
  expect(rendered.of(resource, house.place)).toBeUndefined();
});

it('R17 gives it to a resource whose status has changed since, if that was not looked at', async () => {
  const rendered = new RenderCache();
  const seen = Object.assign(new ObservedDependencies(), { status: true });
  for (const dependencies of [new ObservedDependencies(), seen]) {
    resource = known();
    rendered.keep(resource, { desired, dependencies }, house.place);
    const note = dependencies === seen ? 'a' : 'b';
    await house.memory.apply(widgetKind, { ...widget('web'), status: { note } } as never, {
      manager: 'x',
      subresource: 'status',
    });
    await settled();
    expect(known()).not.toBe(resource);
    expect(rendered.of(known(), house.place) !== undefined).toBe(dependencies !== seen);
  }
});
