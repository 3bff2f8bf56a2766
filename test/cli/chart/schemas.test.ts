import { App, Chart } from 'cdk8s';
import { describe, expect, test } from 'vitest';
import { imageRegistry, namespace, operatorName, secretName } from '../../../cli/chart/values/schemas.js';
import type { Props } from '../../../cli/chart/values/value.js';
import { algorithmControllers } from '../../../operator/controllers/index.js';
import { OperatorInstall } from '../../../src/index.js';

/** Whether `OperatorInstall` accepts props. */
function accepts(props: Props): boolean {
  const chart = new Chart(new App(), 'chart');
  const install = new OperatorInstall(chart, 'operator', {
    controllers: algorithmControllers,
    installApi: false,
    ...props,
  });
  return install.node.validate().length === 0;
}

const texts = [
  ...[
    'a',
    'a1',
    'a-b',
    'a.b',
    'A',
    '1a',
    '-a',
    'a-',
    'a_b',
    'a,b',
    'a b',
    'a"b',
    'a/b',
    'a:1',
    'a:b',
    'a/',
    '/a',
    'a//b',
  ],
  ...[
    'registry.example.com:5000/mirror/x',
    'https://a',
    'a@b',
    'n'.repeat(40),
    'n'.repeat(41),
    'n'.repeat(63),
    'n'.repeat(64),
  ],
  ...['n'.repeat(253), 'n'.repeat(254), `${'n'.repeat(63)}.a`, 'a..b', 'a.-b'],
];

describe('the schema of the chart accepts what OperatorInstall accepts', () => {
  test.each<[string, object, (text: string) => Props]>([
    ['name', operatorName, (name) => ({ name })],
    ['namespaces', namespace, (name) => ({ watchNamespaces: [name] })],
    ['imageRegistry', imageRegistry, (text) => ({ imageRegistry: text })],
    ['imagePullSecrets', secretName, (name) => ({ imagePullSecrets: [name] })],
  ])('as %s', (_, schema, props) => {
    const { pattern, maxLength = Number.POSITIVE_INFINITY } = schema as { pattern: string; maxLength?: number };
    const matching = texts.filter((text) => new RegExp(pattern).test(text) && text.length <= maxLength);
    expect(matching).toEqual(texts.filter((text) => accepts(props(text))));
    expect(matching.length).toBeGreaterThan(3);
  });
});
