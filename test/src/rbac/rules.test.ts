import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PolicyRule } from '../../../src/index.js';
import { mergedRules } from '../../../src/rbac/rules.js';

const rule = (apiGroup: string, resources: string[], verbs: string[], resourceNames?: string[]): PolicyRule => ({
  apiGroups: [apiGroup],
  resources,
  verbs,
  ...(resourceNames && { resourceNames }),
});

describe('merged rules', () => {
  test.each<[string, PolicyRule[], PolicyRule[]]>([
    ['are none of none', [], []],
    [
      'join the verbs on one resource',
      [rule('apps', ['deployments'], ['watch', 'get']), rule('apps', ['deployments'], ['get', 'list'])],
      [rule('apps', ['deployments'], ['get', 'list', 'watch'])],
    ],
    [
      'join resources with the same verbs',
      [rule('', ['services'], ['get', 'list']), rule('', ['configmaps'], ['list', 'get'])],
      [rule('', ['configmaps', 'services'], ['get', 'list'])],
    ],
    [
      'keep groups apart, and resources with other verbs',
      [rule('b', ['x', 'y'], ['get']), rule('a', ['x'], ['get']), rule('b', ['y'], ['list'])],
      [rule('a', ['x'], ['get']), rule('b', ['y'], ['get', 'list']), rule('b', ['x'], ['get'])],
    ],
    [
      'keep rights to some names apart from those to all',
      [
        rule('', ['secrets'], ['get'], ['b', 'a']),
        rule('', ['secrets'], ['list']),
        rule('', ['secrets'], ['get'], ['a', 'b']),
      ],
      [rule('', ['secrets'], ['get'], ['a', 'b']), rule('', ['secrets'], ['list'])],
    ],
    [
      'take apart what names several groups',
      [{ apiGroups: ['b', 'a'], resources: ['x'], verbs: ['get'] }],
      [rule('a', ['x'], ['get']), rule('b', ['x'], ['get'])],
    ],
  ])('%s', (_, rules, merged) => expect(mergedRules(rules)).toEqual(merged));

  const some = (...values: string[]) => fc.uniqueArray(fc.constantFrom(...values), { minLength: 1 });
  const anyRule = fc.record(
    {
      apiGroups: some('', 'apps', 'policy'),
      resources: some('a', 'b', 'c'),
      verbs: some('get', 'list', 'watch', 'patch'),
      resourceNames: some('one', 'two'),
    },
    { requiredKeys: ['apiGroups', 'resources', 'verbs'] },
  );
  const anyRules = fc.array(anyRule, { maxLength: 8 });

  /** Every single right, as text. A list of names is one right to those names: it is not taken apart. */
  const rightsIn = (rules: readonly PolicyRule[]) =>
    new Set(
      rules.flatMap(({ apiGroups, resources, verbs, resourceNames }) =>
        apiGroups.flatMap((group) =>
          resources.flatMap((resource) =>
            verbs.map((verb) => JSON.stringify([group, resource, verb, resourceNames?.toSorted() ?? null])),
          ),
        ),
      ),
    );

  test('grant exactly the permissions of the rules', () => {
    fc.assert(
      fc.property(anyRules, (rules) => {
        expect(rightsIn(mergedRules(rules))).toEqual(rightsIn(rules));
      }),
    );
  });

  test('do not depend on the order of the rules', () => {
    const shuffled = anyRules.chain((rules) =>
      fc.tuple(fc.constant(rules), fc.shuffledSubarray(rules, { minLength: rules.length })),
    );
    fc.assert(
      fc.property(shuffled, ([rules, others]) => {
        expect(mergedRules(others)).toEqual(mergedRules(rules));
      }),
    );
  });
});
