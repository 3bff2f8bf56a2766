import { type ApiObject, Chart } from 'cdk8s';
import type { Construct } from 'constructs';
import type { Controller, ControllerProps } from '../../../../operator/runtime/controller/controller.js';
import type { CustomResource } from '../../../../operator/runtime/controller/custom-resource.js';
import { defineController } from '../../../../operator/runtime/controller/define-controller.js';
import { RejectedError } from '../../../../operator/runtime/kubernetes/errors.js';
import {
  ConfigMap,
  Deployment,
  HorizontalPodAutoscaler,
  type ObjectKind,
  Service,
} from '../../../../operator/runtime/kubernetes/kinds.js';
import { KubeObject } from '../../../../src/index.js';
import type { Loose } from '../../../given.js';

/** What a Widget should become. Everything is spelled out, so that a test shows all of it. */
export interface WidgetSpec {
  /** ConfigMaps, by the end of their name: their data. */
  readonly maps?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly workload?: boolean;
  /** Rejects the spec with this message. */
  readonly rejected?: string;
}

export interface Widget extends CustomResource {
  readonly spec: WidgetSpec;
  readonly status?: Readonly<Record<string, unknown>>;
}

export const widgetKind: ObjectKind<Widget> = {
  group: 'example.org',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  namespaced: true,
  statusFields: ['observedGeneration', 'conditions', 'retryCount', 'lastReconciled', 'size', 'note'],
};

/** A Widget as a person writes it. */
export function widget(name: string, spec: WidgetSpec = { maps: { a: { size: '1' } } }, metadata: object = {}) {
  return { apiVersion: 'example.org/v1', kind: 'Widget', metadata: { name, namespace: 'team', ...metadata }, spec };
}

/** What a test declares otherwise. */
type WidgetChanges = Partial<Omit<Controller, 'finalizes'>> & Pick<ControllerProps, 'finalizes'>;

/** Runs Widgets. Sized is True when all of its ConfigMaps are there. */
export function widgetController(changes: WidgetChanges = {}): Controller {
  const controller = defineController({
    kind: widgetKind as ObjectKind,
    owns: [ConfigMap, Service, Deployment, HorizontalPodAutoscaler],
    conditions: { Sized: { Fits: ['True', 'it fits'], TooSmall: ['False', 'it is too small', 'Raise it.'] } },
    desire,
    assess: ({ owned, resource }) => {
      const size = owned.of(ConfigMap).length;
      const wanted = Object.keys((resource as Widget).spec.maps ?? {}).length;
      return { conditions: { Sized: { reason: size >= wanted ? 'Fits' : 'TooSmall' } }, status: { size } };
    },
    ...(changes as object),
  });
  return controller as Controller;
}

function desire(scope: Construct, { resource }: { resource: CustomResource }): void {
  const { metadata, spec } = resource as Widget;
  if (metadata.deletionTimestamp) return;
  if (spec.rejected !== undefined) throw new RejectedError('NotPossible', spec.rejected);
  for (const [end, data] of Object.entries(spec.maps ?? {}))
    add(scope, 'v1', 'ConfigMap', `${metadata.name}-${end}`, { data });
  if (!spec.workload) return;
  const labels = { app: metadata.name };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'main:1' }] } };
  add(scope, 'apps/v1', 'Deployment', metadata.name, { spec: { selector: { matchLabels: labels }, template } });
  add(scope, 'v1', 'Service', metadata.name, { spec: { selector: labels, ports: [{ port: 80 }] } });
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: metadata.name };
  add(scope, 'autoscaling/v2', 'HorizontalPodAutoscaler', metadata.name, { spec: { maxReplicas: 3, scaleTargetRef } });
}

/** Puts an object into a construct tree. */
export function add(scope: Construct, apiVersion: string, kind: string, name: string, content: object = {}): ApiObject {
  const { namespace } = Chart.of(scope);
  const metadata = { name, ...(namespace !== undefined && { namespace }) };
  return new KubeObject(scope, `${kind}-${name}`, { apiVersion, kind, metadata, ...content });
}

/** A condition of a resource's status. */
export function conditionOf(resource: object | undefined, type: string): Loose | undefined {
  return (resource as Loose)?.['status']?.conditions?.find((one: { type: string }) => one.type === type);
}
