import { App, Chart } from 'cdk8s';
import { describe, expect, test } from 'vitest';
import type { ControllerProps } from '../../../../operator/runtime/controller/controller.js';
import { refuseOverlappingControllers } from '../../../../operator/runtime/controller/overlapping-controllers.js';
import { ConfigMap, Namespace, type ObjectKind } from '../../../../operator/runtime/kubernetes/kinds.js';
import { callsAmong, ExternalCall } from '../../../../operator/runtime/rendering/external-call.js';
import { namespaceController } from '../given/namespaces.js';
import { dns } from '../given/records.js';
import { widgetKind } from '../given/widgets.js';

const widgets = widgetKind as ObjectKind;
const rights = (changes: Partial<ControllerProps>, resource: string) =>
  namespaceController(changes)
    .rbacRules.filter(({ resources }) => resources.includes(resource))
    .flatMap(({ verbs }) => verbs);

describe('a definition with reportsTo', () => {
  test.each<{ when: string; changes: Partial<ControllerProps>; saying: string }>([
    {
      when: 'a kind of Kubernetes reports to the status',
      changes: { reportsTo: 'status' },
      saying: 'the status of Namespace belongs to Kubernetes: set reportsTo to events or annotation',
    },
    {
      when: 'a kind of a Kubernetes group reports to the status',
      changes: { kind: { ...widgets, group: 'networking.k8s.io' }, reportsTo: 'status' },
      saying: 'the status of Widget belongs to Kubernetes',
    },
    {
      when: 'it selects and reports to the status',
      changes: { kind: widgets, reportsTo: 'status' },
      saying: 'selects needs reportsTo events or annotation',
    },
    { when: 'it is a secondary one', changes: { secondaryFor: () => true }, saying: 'use selects' },
    { when: 'it has status fields', changes: { statusFields: [] }, saying: 'statusFields must not be set' },
    { when: 'it keeps revisions', changes: { keepsRevisions: 'always' }, saying: 'keepsRevisions must be never' },
    { when: 'its name is no label', changes: { name: 'My_Names' }, saying: 'name must be a lower-case label' },
  ])('is refused when $when', ({ changes, saying }) => {
    expect(() => namespaceController(changes)).toThrow(saying);
  });

  test.each<{ when: string; changes: Partial<ControllerProps>; resource: string; verbs: readonly string[] }>([
    { when: 'any', changes: {}, resource: 'namespaces/status', verbs: [] },
    { when: 'it finalizes and calls', changes: {}, resource: 'namespaces', verbs: ['list', 'watch', 'get', 'patch'] },
    {
      when: 'it records events only',
      changes: { reportsTo: 'events', finalizes: false, calls: [], owns: [] },
      resource: 'namespaces',
      verbs: ['list', 'watch'],
    },
    {
      when: 'it writes an annotation only',
      changes: { finalizes: false, calls: [], owns: [] },
      resource: 'namespaces',
      verbs: ['list', 'watch', 'patch'],
    },
    { when: 'it owns nothing', changes: { owns: [] }, resource: 'namespaces/finalizers', verbs: [] },
    { when: 'it owns objects', changes: { owns: [ConfigMap] }, resource: 'namespaces/finalizers', verbs: ['update'] },
    { when: 'any', changes: {}, resource: 'controllerrevisions', verbs: [] },
  ])('R33 gets $verbs for $resource when $when', ({ changes, resource, verbs }) => {
    expect(rights(changes, resource)).toEqual(verbs);
  });

  test('allows a second controller of the kind, which reports elsewhere too', () => {
    const second = namespaceController({ name: 'second' });
    expect(() => refuseOverlappingControllers([namespaceController(), second])).not.toThrow();
  });

  test('refuses an irreversible call, whose intent no status can hold', () => {
    const chart = new Chart(new App(), 'chart');
    const request = { name: 'a' };
    const call = new ExternalCall(chart, 'once', { port: dns, request, refreshes: ['found'], irreversible: true });
    const kind = { ...Namespace, statusFields: ['externalCalls'] };
    expect(() => callsAmong([call], { ...namespaceController(), kind })).toThrow(
      'is irreversible, but no status of Namespace can hold its intent',
    );
  });
});
