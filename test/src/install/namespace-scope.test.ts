import { App, Chart } from 'cdk8s';
import { describe, expect, test } from 'vitest';
import { crossNamespace, refuseNarrowScope } from '../../../operator/runtime/controller/owned-kinds.js';
import { type Reads, refer } from '../../../operator/runtime/controller/reads.js';
import { ConfigMap, Node, type ObjectKind, optional, Secret } from '../../../operator/runtime/kubernetes/kinds.js';
import { OperatorInstall } from '../../../src/index.js';

const kind = { group: 'example.com', version: 'v1', kind: 'Shop', plural: 'shops', namespaced: true } as const;
const far = { namespace: 'vault', name: 'ca' };

interface Declared {
  readonly when: string;
  readonly owns?: readonly ObjectKind[];
  readonly read?: ObjectKind;
  readonly watched: readonly string[];
  /** The same in the error of the start and in that of synth. */
  readonly what?: string;
  readonly todo?: { readonly start: string; readonly synth: string };
}

const all = { start: 'watch all namespaces', synth: 'remove watchNamespaces' };
const add = (names: string) => ({
  start: `add ${names} to --namespaces, or watch all namespaces`,
  synth: `add ${names} to watchNamespaces, or remove watchNamespaces`,
});

const declarations: readonly Declared[] = [
  { when: 'nothing is elsewhere', owns: [ConfigMap], read: Secret, watched: ['team'] },
  {
    when: 'objects are created in any namespace',
    owns: [crossNamespace(ConfigMap)],
    watched: ['team'],
    what: 'creates ConfigMap outside',
    todo: all,
  },
  {
    when: 'objects are created in a namespace that is not watched',
    owns: [crossNamespace(ConfigMap, ['team', 'vault'])],
    watched: ['team'],
    what: 'creates ConfigMap outside',
    todo: add('vault'),
  },
  {
    when: 'objects are created in two such namespaces',
    owns: [crossNamespace(ConfigMap, ['vault']), crossNamespace(Secret, ['vault', 'more'])],
    watched: ['team'],
    what: 'creates ConfigMap and Secret outside',
    todo: add('vault, more'),
  },
  {
    when: 'objects are created in watched namespaces',
    owns: [crossNamespace(ConfigMap, ['vault'])],
    watched: ['team', 'vault'],
  },
  {
    when: 'objects of any namespace are read',
    read: crossNamespace(Secret),
    watched: ['team', 'vault'],
    what: 'controller shop reads Secret in other namespaces (reads.far)',
    todo: all,
  },
  {
    when: 'objects of a namespace that is not watched are read',
    read: crossNamespace(Secret, ['vault']),
    watched: ['team'],
    what: 'controller shop reads Secret in namespace vault (reads.far)',
    todo: add('vault'),
  },
  {
    when: 'objects of two such namespaces are read',
    read: crossNamespace(Secret, ['vault', 'team', 'more']),
    watched: ['team'],
    what: 'controller shop reads Secret in namespaces vault, more (reads.far)',
    todo: add('vault, more'),
  },
  {
    when: 'objects of a watched namespace are read',
    read: crossNamespace(Secret, ['vault']),
    watched: ['team', 'vault'],
  },
  {
    when: 'objects of whichever namespace is watched are read',
    read: crossNamespace(Secret, 'watched'),
    watched: ['a'],
  },
  { when: 'cluster-scoped objects are read if possible', read: optional(crossNamespace(Node)), watched: ['team'] },
];

describe.each(declarations)('an operator of some namespaces, if $when', ({ owns = [], read, watched, what, todo }) => {
  const reads: Reads = read ? { far: refer.named(read, () => far) } : {};
  const controller = { name: 'shop', kind, owns, reads, rbacRules: [] };
  const start = (namespaces: readonly string[]) => refuseNarrowScope(controller, namespaces);
  const synth = (watchNamespaces?: readonly string[]) => {
    const chart = new Chart(new App(), 'chart');
    const props = { controllers: [controller], installApi: false, ...(watchNamespaces && { watchNamespaces }) };
    new OperatorInstall(chart, 'operator', props);
    return chart.toJson();
  };

  if (what === undefined || !todo) {
    test('R22 starts, and is installed', () => {
      expect(() => start(watched)).not.toThrow();
      expect(() => synth(watched)).not.toThrow();
    });
    return;
  }

  test('R22 refuses to start, and to be installed, with what to do', () => {
    expect(() => start(watched)).toThrow(what);
    expect(() => start(watched)).toThrow(
      new RegExp(`, but only ${watched.join(', ')} (is|are) watched: ${todo.start}$`),
    );
    expect(() => synth(watched)).toThrow(what);
    expect(() => synth(watched)).toThrow(`; ${todo.synth}`);
  });

  test('R22 starts and is installed for all namespaces', () => {
    expect(() => start([])).not.toThrow();
    expect(() => synth()).not.toThrow();
  });
});

describe('a controller of a cluster-scoped kind', () => {
  const tenant = { ...kind, kind: 'Tenant', plural: 'tenants', namespaced: false };
  const installed = (of: typeof tenant & { readonly optional?: boolean }) => () => {
    const chart = new Chart(new App(), 'chart');
    const controllers = [{ name: 'tenant', kind: of, rbacRules: [] }];
    new OperatorInstall(chart, 'operator', { controllers, installApi: false, watchNamespaces: ['team'] });
    chart.toJson();
  };

  test('is not installed for some namespaces, where no Role could grant access to its resources', () => {
    expect(installed(tenant)).toThrow('controller tenant reconciles the cluster-scoped Tenant; remove watchNamespaces');
  });

  test('is left out there if its kind is optional', () => {
    expect(installed({ ...tenant, optional: true })).not.toThrow();
  });
});
