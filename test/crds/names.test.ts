import { describe, expect, it } from 'vitest';
import { algorithmSpec, withDefaults } from '../../crds/index.js';
import { problemsOf } from '../../src/algorithm/checks.js';

const digest = `sha256:${'a'.repeat(64)}`;
const problemsOfImage = (image: string) => problemsOf(withDefaults(algorithmSpec, { image }));

describe('line 13: the name of an image', () => {
  it.each([
    'server',
    'server:1.0.0',
    'team/server_a.b-c__d:V1',
    `docker.io/library/server@${digest}`,
    'REG.example.com/team/server',
    'REGISTRY:5000/team/server:1',
    'localhost/server',
    'localhost:5000/server:1',
    '[::1]:5000/server',
    `registry.example.com:443/a/b/c:1@${digest}`,
  ])('may be %s', (image) => {
    expect(problemsOfImage(image)).toEqual([]);
  });

  it.each([
    'UPPER/server',
    'team/Server',
    'registry.example.com/Team/server:1',
    'Server',
    'server:',
    'server:1:2',
    'server@sha256:abc',
    'server@latest',
    '/server',
    'team//server',
    'server/',
    'https://registry.example.com/server',
    '-server',
    'a b',
    'server\u200b:1',
  ])('must not be %s', (image) => {
    expect(problemsOfImage(image)).toEqual([
      `image: Invalid value: ${JSON.stringify(image)}: must be the name of an image in lower case, with an optional registry, tag and digest, such as registry.example.com/team/server:1.0.0`,
    ]);
  });
});

describe('line 13: with an autoscaler, the request of CPU', () => {
  it.each(['0', 0, '0m', '0.0', '0e3'])('must not be %s', (cpu) => {
    const spec = withDefaults(algorithmSpec, {
      image: 'i',
      resources: { requests: { cpu } },
      scaling: { maxReplicas: 2 },
    });
    expect(problemsOf(spec)).toEqual([
      `resources.requests.cpu: Invalid value: "0": must be above 0 if scaling is set, because the autoscaler scales by a percentage of it; use an amount such as 100m`,
    ]);
    const { scaling: _, ...fixed } = spec;
    expect(problemsOf(fixed as typeof spec)).toEqual([]);
  });
});
