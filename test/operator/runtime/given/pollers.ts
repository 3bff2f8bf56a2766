import type { Controller } from '../../../../operator/runtime/controller/controller.js';
import type { CustomResource } from '../../../../operator/runtime/controller/custom-resource.js';
import { defineController } from '../../../../operator/runtime/controller/define-controller.js';
import { pollValueOf } from '../../../../operator/runtime/controller/polls.js';
import { ConfigMap, Deployment, type ObjectKind } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Manifest } from '../../../../operator/runtime/kubernetes/object.js';
import type { Port } from '../../../../operator/runtime/ports/external-port.js';
import { add, widget, widgetKind } from './widgets.js';

/** What a Gatherer wants to know. */
export interface GathererSpec {
  /** What it asks; nothing without. */
  readonly question?: string;
  /** Milliseconds. */
  readonly every?: number;
  readonly keep?: number;
  /** Another resource becomes another thing. */
  readonly label?: string;
}

interface Gatherer extends CustomResource {
  readonly spec: GathererSpec;
  readonly status?: { readonly note?: string };
}

export const gathererKind: ObjectKind<Gatherer> = {
  ...widgetKind,
  kind: 'Gatherer',
  plural: 'gatherers',
} as ObjectKind<Gatherer>;

export function gatherer(name: string, spec: GathererSpec, namespace = 'team'): Manifest {
  return { ...widget(name, {}, { namespace }), kind: 'Gatherer', spec } as Manifest;
}

/** Where Gatherers ask: a word is answered with a word. */
export const oracle: Port<string, { readonly word: string }> = {
  name: 'oracle',
  rbacRules: [{ apiGroups: [''], resources: ['pods'], verbs: ['list'] }],
};

/** Runs Gatherers: each renders a ConfigMap with its answer. */
export const gathererController = defineController({
  kind: gathererKind,
  owns: [ConfigMap, Deployment],
  conditions: { Told: { Known: ['True', 'it is known'], Unknown: ['Unknown', 'it is not known'] } },
  polls: (ask) => ({
    said: ask(oracle, ({ resource: { spec } }) => {
      const { question, every: interval = 10_000, keep = 1 } = spec;
      return question === undefined ? undefined : { question, interval, keep };
    }),
  }),
  desire: (scope, { resource: { metadata, spec }, polled: { said } }) => {
    const { label = 'none' } = spec;
    add(scope, 'v1', 'ConfigMap', `${metadata.name}-said`, {
      data: { word: pollValueOf(said)?.word ?? 'nothing', label },
    });
  },
  assess: ({ polled: { said } }) => ({
    conditions: { Told: said?.known ? { reason: 'Known' } : { reason: 'Unknown', message: said?.why ?? 'not asked' } },
  }),
});

/** Runs Gatherers too, and renders nothing without an answer: "not to know is no reason to act". */
export function hastyController(changes: Partial<Controller> = {}): Controller {
  const { desire } = gathererController;
  return {
    ...gathererController,
    ...changes,
    desire: (scope, facts) => {
      if (!facts.polled['said']?.known) return;
      desire(scope, facts);
    },
  };
}
