import { ApiObject, App, Chart, JsonPatch, Lazy, type ResolutionContext } from 'cdk8s';
import { k8s } from 'cdk8s-plus-27';
import { describe, expect, test } from 'vitest';
import { KubeObject } from '../../../src/index.js';

function chart(props = {}): Chart {
  return new Chart(new App(), 'chart', props);
}

function configMap(data: unknown) {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'files' }, data };
}

describe('an object in the construct tree', () => {
  test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', 'value', 'resolve'])(
    'keeps the key %s of a map that a user wrote',
    (key) => {
      const data = JSON.parse(`{"${key}":"kept","a":"b"}`);
      const rendered: unknown = new KubeObject(chart(), 'object', configMap(data)).toJson();
      // Entries, since an object with the key __proto__ compares equal to one without.
      expect(Object.entries((rendered as { data: object }).data).sort()).toEqual(Object.entries(data).sort());
    },
  );

  test('keeps such keys at any depth', () => {
    const spec = JSON.parse('{"list":[{"constructor":{"__proto__":[1]}}]}');
    const manifest = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'deep' }, spec };
    expect(JSON.stringify(new KubeObject(chart(), 'object', manifest).toJson())).toBe(JSON.stringify(manifest));
  });

  test('is in the namespace of its manifest, or in none', () => {
    const inTeam = chart({ namespace: 'team' });
    const none = new KubeObject(inTeam, 'none', configMap({}));
    expect([none.metadata.namespace, none.toJson().metadata.namespace]).toEqual([undefined, undefined]);
    const own = { ...configMap({}), metadata: { name: 'files', namespace: 'own' } };
    expect(new KubeObject(inTeam, 'own', own).toJson().metadata.namespace).toBe('own');
  });

  test('supports the methods of every cdk8s object', () => {
    const object = new KubeObject(
      chart({ labels: { team: 'a' } }),
      'object',
      configMap({ 'a.txt': Lazy.any({ produce: () => 'late' }) }),
    );
    object.metadata.addLabel('app', 'b');
    object.addJsonPatch(JsonPatch.add('/immutable', true));
    expect(object.toJson()).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'files', labels: { app: 'b', team: 'a' } },
      data: { 'a.txt': 'late' },
      immutable: true,
    });
  });

  test.each([
    { what: 'plain JSON', spec: { b: 1, a: [{ d: null, c: undefined }, null, 'x', []], empty: {}, no: false } },
    { what: 'a value that is late', spec: { b: 1, a: Lazy.any({ produce: () => ({ z: 1, y: null }) }) } },
    { what: 'a value that resolves itself', spec: { b: [{ resolve: () => 'late' }], a: 1 } },
    { what: 'a union of number and string', spec: { b: k8s.IntOrString.fromNumber(8080), a: 1 } },
  ])('is what cdk8s makes of $what', ({ spec }) => {
    const manifest = { apiVersion: 'v1', kind: 'Thing', metadata: { name: 'thing', labels: { b: 'c', a: 'b' } }, spec };
    const rendered = (object: ApiObject) => JSON.stringify(object.toJson());
    const ours = rendered(new KubeObject(chart(), 'ours', manifest));
    expect(ours).toBe(rendered(new ApiObject(chart(), 'theirs', manifest)));
  });

  test('passes by the resolvers of its app', () => {
    const upper = { resolve: (context: ResolutionContext) => context.value === 'b' && context.replaceValue('B') };
    const resolved = new Chart(new App({ resolvers: [upper] }), 'chart');
    expect(new KubeObject(resolved, 'object', configMap({ a: 'b' })).toJson()).toMatchObject({ data: { a: 'B' } });
  });

  test('leaves the manifest that it was made from as it is', () => {
    const manifest = Object.freeze({
      ...configMap(Object.freeze({ a: 'b' })),
      metadata: Object.freeze({ name: 'files' }),
    });
    new KubeObject(chart({ namespace: 'team' }), 'object', manifest).metadata.addLabel('a', 'b');
    expect(manifest.metadata).toEqual({ name: 'files' });
  });
});
