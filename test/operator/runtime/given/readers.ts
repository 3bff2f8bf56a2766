import type { CustomResource } from '../../../../operator/runtime/controller/custom-resource.js';
import { defineController } from '../../../../operator/runtime/controller/define-controller.js';
import { crossNamespace } from '../../../../operator/runtime/controller/owned-kinds.js';
import { ConfigMap, type ObjectKind, Secret } from '../../../../operator/runtime/kubernetes/kinds.js';
import { keyOf, type Manifest } from '../../../../operator/runtime/kubernetes/object.js';
import { add, widget, widgetKind } from './widgets.js';

/** What a Reader refers to. */
export interface ReaderSpec {
  /** A Secret, in the Reader's namespace or in one that it states as `namespace/name`. */
  readonly key?: string;
  /** Secrets of its namespace, by name. */
  readonly more?: readonly string[];
  /** The value of the label `theme` of ConfigMaps in its namespace. */
  readonly theme?: string;
  /** A topic of ConfigMaps in any namespace, which have a list of topics in their data. */
  readonly topic?: string;
}

interface Reader extends CustomResource {
  readonly spec: ReaderSpec;
}

export const readerKind: ObjectKind<Reader> = {
  ...widgetKind,
  kind: 'Reader',
  plural: 'readers',
} as ObjectKind<Reader>;

export function reader(name: string, spec: ReaderSpec, namespace = 'team'): Manifest {
  return { ...widget(name, {}, { namespace }), kind: 'Reader', spec } as Manifest;
}

/** Runs Readers: each renders a ConfigMap with the objects that it read, a Secret by its key `word`. */
export const readerController = defineController({
  kind: readerKind,
  owns: [ConfigMap],
  conditions: { Read: { Complete: ['True', 'all is there'], Waiting: ['Unknown', 'the key is not there'] } },
  reads: ({ named, eachNamed, matchingLabels, byIndex }) => ({
    key: named(crossNamespace(Secret, 'watched'), ({ spec }) => placed(spec.key)),
    more: eachNamed(Secret, ({ spec }) => spec.more),
    themes: matchingLabels(ConfigMap, ({ spec: { theme } }) =>
      theme === undefined ? undefined : { labels: { theme } },
    ),
    topics: byIndex(ConfigMap, {
      indexFunc: ({ data }) => data?.['topics']?.split(',') ?? [],
      values: ({ spec: { topic } }) => (topic === undefined ? [] : [topic]),
    }),
  }),
  desire: (scope, { resource, reads }) => {
    const data = {
      key: wordOf(reads.key),
      more: reads.more.map(wordOf).join(),
      themes: reads.themes.map(({ metadata, data }) => `${metadata.name}=${data?.['colour']}`).join(),
      ...(resource.spec.topic !== undefined && { onTopic: reads.topics.map(({ metadata }) => keyOf(metadata)).join() }),
    };
    add(scope, 'v1', 'ConfigMap', `${resource.metadata.name}-saw`, { data });
  },
  assess: ({ reads }) => ({ conditions: { Read: { reason: reads.key ? 'Complete' : 'Waiting' } } }),
});

/** Runs Readers whose Secrets must exist. */
export const requiringController = defineController({
  kind: readerKind,
  owns: [ConfigMap],
  conditions: { Read: { Complete: ['True', 'all is there'], Waiting: ['Unknown', 'the key is not there'] } },
  reads: ({ required, eachRequired }) => ({
    key: required(Secret, ({ spec }) => spec.key ?? 'none'),
    more: eachRequired(Secret, ({ spec }) => spec.more),
    optional: required(Secret, ({ spec }) => spec.topic),
  }),
  desire: (scope, { resource, reads }) => {
    const { key, more, optional } = reads;
    const names = [key, ...more, ...(optional ? [optional] : [])].map(({ metadata }) => metadata.name);
    add(scope, 'v1', 'ConfigMap', `${resource.metadata.name}-saw`, { data: { names: names.join() } });
  },
  assess: ({ reads }) => ({ conditions: { Read: { reason: reads.key ? 'Complete' : 'Waiting' } } }),
});

function placed(key: string | undefined) {
  const [first = '', second] = key?.split('/') ?? [];
  return second === undefined ? key : { namespace: first, name: second };
}

function wordOf(secret: object | undefined): string {
  return (secret as { readonly data?: { readonly word: string } } | undefined)?.data?.word ?? 'nothing';
}

export function secret(name: string, word: string, namespace = 'team'): Manifest {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace }, data: { word } } as Manifest;
}

/** A ConfigMap with a list of topics. */
export function onTopics(name: string, topics: string, namespace = 'team'): Manifest {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data: { topics } } as Manifest;
}

export function themed(name: string, theme: string, colour: string, namespace = 'team'): Manifest {
  const metadata = { name, namespace, labels: { theme } };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { colour } } as Manifest;
}
