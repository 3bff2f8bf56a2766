import { expect, test } from 'vitest';
import { reportOnly } from '../../../../operator/runtime/controller/conditions.js';
import type { CustomResource } from '../../../../operator/runtime/controller/custom-resource.js';
import { defineController } from '../../../../operator/runtime/controller/define-controller.js';
import type { ObjectKind } from '../../../../operator/runtime/kubernetes/kinds.js';
import { widgetKind } from '../given/widgets.js';

interface Feed extends CustomResource {
  readonly spec: { readonly size: number };
  readonly status?: { readonly observedGeneration?: number; readonly streams?: number; readonly lag?: number };
}

const conditions = {
  Served: { Serving: ['True', 'It serves'], Down: ['False', 'It does not', 'Start it.'] },
  Current: { UpToDate: ['True', 'It is'], Old: ['False', 'It is not', 'Renew it.'] },
} as const;
const declared = { kind: widgetKind as ObjectKind<Feed>, owns: [], conditions, desire: () => {} };
const [Served, Current] = [{ reason: 'Serving' }, { reason: 'UpToDate' }] as const;

// What the compiler accepts and refuses. The type check of this file is the test.
const accepted = () => [
  defineController({ ...declared, assess: () => ({ conditions: { Served, Current } }) }),
  defineController({
    ...declared,
    assess: ({ resource }) => {
      if (resource.spec.size > 1) return { conditions: { Served, Current }, status: { streams: 1 } };
      return { conditions: { Served: { reason: 'Down' }, Current: undefined }, status: { lag: 2 }, requeueAfter: 1 };
    },
  }),
  defineController({
    ...declared,
    optionalConditions: ['Current'],
    assess: ({ resource }) => ({ conditions: resource.spec.size > 1 ? { Served } : { Served, Current } }),
  }),
  defineController({ ...declared, assess: () => ({ conditions: reportOnly({ Served }) }) }),
  defineController({
    ...declared,
    statusFields: ['streams'],
    assess: () => ({ conditions: { Served, Current }, status: { streams: 1 } }),
  }),
];

const silent = { Served: { Serving: ['True', 'It serves'], Down: ['False', 'It does not'] } } as const;

const refused = () => [
  // @ts-expect-error Down does not say what a person can do
  defineController({ ...declared, conditions: silent, assess: () => ({ conditions: { Served } }) }),
  // @ts-expect-error Current is forgotten
  defineController({ ...declared, assess: () => ({ conditions: { Served } }) }),
  defineController({
    ...declared,
    // @ts-expect-error Current is forgotten in one of two results
    assess: ({ resource }) => {
      if (resource.spec.size > 1) return { conditions: { Served, Current } };
      return { conditions: { Served } };
    },
  }),
  defineController({
    ...declared,
    optionalConditions: ['Current'],
    // @ts-expect-error Served is not optional
    assess: () => ({ conditions: { Current } }),
  }),
  defineController({
    ...declared,
    // @ts-expect-error a status field that the kind lacks, in one of two results
    assess: ({ resource }) => {
      if (resource.spec.size > 1) return { conditions: { Served, Current }, status: { streams: 1 } };
      return { conditions: { Served, Current }, status: { strems: 2 } };
    },
  }),
  defineController({
    ...declared,
    // @ts-expect-error the same beside a field that the kind has
    assess: ({ resource }) => {
      if (resource.spec.size > 1) return { conditions: { Served, Current }, status: { streams: 1 } };
      return { conditions: { Served, Current }, status: { streams: 1, strems: 2 } };
    },
  }),
  defineController({
    ...declared,
    // @ts-expect-error the same where a field is there sometimes
    assess: ({ resource }) => ({
      conditions: { Served, Current },
      status: { streams: 1, ...(resource.spec.size > 1 && { strems: 1 }) },
    }),
  }),
  defineController({
    ...declared,
    statusFields: ['streams'],
    // @ts-expect-error lag belongs to another controller of the kind
    assess: ({ resource }) => {
      if (resource.spec.size > 1) return { conditions: { Served, Current }, status: { streams: 1 } };
      return { conditions: { Served, Current }, status: { streams: 1, lag: 2 } };
    },
  }),
  // @ts-expect-error a reason that is not declared
  defineController({ ...declared, assess: () => ({ conditions: { Served: { reason: 'Serveing' }, Current } }) }),
  defineController({
    ...declared,
    // @ts-expect-error a condition that is not declared, in one of two results
    assess: ({ resource }) => {
      if (resource.spec.size > 1) return { conditions: { Served, Current } };
      return { conditions: { Served, Current, Sreved: Served } };
    },
  }),
  // @ts-expect-error a condition that is not declared
  defineController({ ...declared, assess: () => ({ conditions: reportOnly({ Sreved: Served }) }) }),
];

test('declarations that the compiler accepts are defined', () => {
  expect(accepted()).toHaveLength(5);
  expect(refused).toBeTypeOf('function');
});
