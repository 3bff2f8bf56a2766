import { App, Chart } from 'cdk8s';
import { describe, expect, test } from 'vitest';
import type { Config } from '../../../operator/config/config.js';
import { configFrom } from '../../../operator/process/flags.js';
import { type InstalledController, OperatorInstall, type OperatorInstallProps } from '../../../src/index.js';
import { only } from '../given-rendered.js';

type Props = Partial<OperatorInstallProps>;

const algorithms: InstalledController = {
  name: 'algorithm',
  kind: { group: 'ai.alien6.io', version: 'v1', kind: 'Algorithm', plural: 'algorithms', namespaced: true },
  rbacRules: [],
};

/** The Deployment of an installation. */
function deployment(props: Props) {
  const chart = new Chart(new App(), 'chart');
  new OperatorInstall(chart, 'operator', { controllers: [algorithms], ...props });
  return only(chart.toJson(), 'Deployment');
}

const podSpec = (props: Props) => deployment(props)['spec'].template.spec;
const registry = 'registry.example.com:5000/mirror';

describe('an installation', () => {
  test.each<[image: string, version: string, props: Props]>([
    ['registry.alien6.io/reconstruct/operator:0.1.0', '0.1.0', {}],
    [`${registry}/operator:0.1.0`, '0.1.0', { imageRegistry: registry }],
    ['mine:1', '1', { image: 'mine:1', imageRegistry: registry }],
  ])('runs the image %s in the version %s, from %j', (image, version, props) => {
    expect(podSpec(props).containers[0].image).toBe(image);
    expect(deployment(props).metadata.labels).toMatchObject({ 'app.kubernetes.io/version': version });
  });

  test.each<[secrets: object | undefined, props: Props]>([
    [[{ name: 'registry' }], { imagePullSecrets: ['registry'] }],
    [[{ name: 'registry' }], { imagePullSecrets: ['registry'], imageRegistry: registry }],
    [undefined, { imageRegistry: registry }],
  ])('pulls its own image with the Secrets %j, from %j', (secrets, props) => {
    expect(podSpec(props).imagePullSecrets).toEqual(secrets);
  });

  test.each<[others: Partial<Config>, props: Props]>([
    [
      { imageRegistry: '', imagePullSecrets: [] },
      { image: 'mine:1', imagePullSecrets: ['a'] },
    ],
    [{ imageRegistry: registry, imagePullSecrets: [] }, { imageRegistry: registry }],
    [
      { imageRegistry: registry, imagePullSecrets: ['a', 'b.c'] },
      { image: 'mine:1', imageRegistry: registry, imagePullSecrets: ['a', 'b.c'] },
    ],
    [{ imageRegistry: 'other' }, { imageRegistry: registry, args: ['--image-registry=other'] }],
  ])('gives the operator the options %j for the Pods of resources, from %j', (others, props) => {
    expect(configFrom(podSpec(props).containers[0].args, {})).toMatchObject(others);
  });

  test.each(['https://x/', 'registry.example.com/mirror:1.0.0', 'registry.example.com/', ''])(
    'is refused with the registry "%s"',
    (imageRegistry) => {
      expect(() => deployment({ imageRegistry })).toThrow(
        `imageRegistry must be a registry with an optional path, such as registry.example.com/mirror, without a scheme, a tag or a slash at its end, got "${imageRegistry}"`,
      );
    },
  );

  test.each(['a,b', 'Registry', ''])('is refused with the pull secret "%s"', (name) => {
    expect(() => deployment({ imagePullSecrets: [name] })).toThrow(
      `imagePullSecrets must be names of Secrets, such as registry, got "${name}"`,
    );
  });
});
