import { expect, test } from 'vitest';
import { parseYaml } from '../../../operator/yaml/parse-yaml.js';
import { hastenedRules } from './hastened-rules.js';

const rules = `
groups:
  - name: other
    rules:
      - {alert: Other, expr: a > 0, for: 5m}
  - name: training
    rules:
      - alert: FaultsOften
        expr: max by (name) (delta(faults{name!="x"}[1h])) > 3
        labels: {severity: warning}
      - {alert: Down, expr: b > 0, for: 15m}
`;
const haste = { for: '2s', window: '2m' };

test('the rules of one group wait shorter and look back shorter, and are the same otherwise', () => {
  expect(parseYaml(hastenedRules(rules, 'training', haste))).toEqual({
    groups: [
      {
        name: 'training',
        rules: [
          {
            ...{ alert: 'FaultsOften', expr: 'max by (name) (delta(faults{name!="x"}[2m])) > 3' },
            labels: { severity: 'warning' },
          },
          { alert: 'Down', expr: 'b > 0', for: '2s' },
        ],
      },
    ],
  });
});

test('a group that does not exist is refused with those that do', () => {
  expect(() => hastenedRules(rules, 'kafka', haste)).toThrow('got no group kafka: the groups are other, training');
});
