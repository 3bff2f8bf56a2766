import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConfigMap } from '../../../operator/runtime/kubernetes/kinds.js';
import type { Cluster } from '../../../operator/runtime/ports/cluster.js';
import { silent } from '../../../operator/runtime/ports/telemetry.js';
import { withRequestSpans } from '../../../operator/telemetry/request-spans.js';
import { openTelemetrySpans } from '../../../operator/telemetry/spans.js';
import { MemoryCluster } from '../../../operator/testing/index.js';
import { configMap } from '../../given.js';
import { bound } from '../runtime/given/house.js';
import { GivenOperator } from '../runtime/given/operator.js';
import { failure } from '../runtime/given/scripted-cluster.js';
import { widget, widgetKind } from '../runtime/given/widgets.js';
import { GivenSdk } from './given-sdk.js';

describe('an operator whose process has an OpenTelemetry SDK', () => {
  let sdk: GivenSdk;
  let given: GivenOperator | undefined;
  beforeEach(() => {
    sdk = new GivenSdk();
  });
  afterEach(async () => {
    await given?.stop();
    await given?.ended;
    sdk.unload();
  });

  async function start(faults = (cluster: Cluster) => cluster): Promise<GivenOperator> {
    const span = await openTelemetrySpans();
    const wrap = (cluster: Cluster) => withRequestSpans(faults(cluster), span);
    given = await new GivenOperator({ faults: wrap, telemetry: { ...silent, span } }).start();
    return given;
  }

  it('R32 tells of a pass, and below it of its look, its desire, each write, and its report', async () => {
    const given = await start();
    await given.given(widgetKind, widget('web'));
    const [end] = sdk.told.flatMap(({ name }, index) => (name === 'reconcile' ? [index] : []));
    const first = sdk.told.slice(0, (end ?? 0) + 1).map(({ name, below }) => [...below, name].join(' > '));
    expect(first).toEqual([
      'reconcile > observe',
      'reconcile > desire',
      'reconcile > create', // the object
      'reconcile > create', // its event
      'reconcile > status > apply',
      'reconcile > status',
      'reconcile',
    ]);
    expect(sdk.told[end ?? 0]?.attributes).toEqual({
      'reconstruct.controller': 'widget',
      'reconstruct.key': 'team/web',
      'reconstruct.reconcileID': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'reconstruct.causes': 'edit of generation 1',
    });
    expect(sdk.told.find(({ name }) => name === 'create')?.attributes).toEqual({
      'reconstruct.kind': 'ConfigMap',
      'reconstruct.key': expect.stringMatching(/^team\/web/),
    });
  });

  it('R32 tells of a failure, at the write and at the pass', async () => {
    const create: Cluster['create'] = (kind, object, options) =>
      kind.kind === 'ConfigMap' ? Promise.reject(failure(500, 'InternalError')) : memory.create(kind, object, options);
    const memory = new MemoryCluster();
    const given = await start((cluster) => ({ ...bound(cluster), create }));
    await given.given(widgetKind, widget('web'));
    const failed = sdk.told.filter(({ status }) => status !== undefined);
    expect(failed.slice(0, 2)).toMatchObject([
      { name: 'create', status: { code: 2, message: 'it says InternalError' } },
      { name: 'reconcile', status: { code: 2, message: 'it says InternalError' } },
    ]);
  });

  it('R32 tells of each pass in a trace of its own, whatever woke it', async () => {
    const span = await openTelemetrySpans();
    // What a pass begins and does not wait for, as a question, goes on in its name, and wakes the next one.
    await span('reconcile', {}, async () => {
      await setImmediate();
      return span('reconcile', {}, () => span('observe', {}, () => setImmediate()));
    });
    expect(sdk.told.map(({ name, below }) => [...below, name].join(' > '))).toEqual([
      'reconcile > observe',
      'reconcile',
      'reconcile',
    ]);
  });

  it('R32 gives back what the work gives, and throws what it throws', async () => {
    const span = await openTelemetrySpans();
    expect(span('sum', {}, () => 1 + 1)).toBe(2);
    expect(() =>
      span('fail', {}, () => {
        throw new Error('no');
      }),
    ).toThrow('no');
    expect(sdk.told.map(({ name, status }) => [name, status?.message])).toEqual([
      ['sum', undefined],
      ['fail', 'no'],
    ]);
  });
});

describe('tracing without an SDK', () => {
  it('R32 is refused at the start, and says what to do', async () => {
    await expect(openTelemetrySpans()).rejects.toThrow('no OpenTelemetry SDK is loaded: start node with --import');
  });
});

describe('a traced cluster', () => {
  it('leaves lists and watches alone', async () => {
    const memory = new MemoryCluster();
    await memory.create(ConfigMap, configMap('a'), { manager: 'somebody' });
    const cluster = withRequestSpans(memory, () => {
      throw new Error('a span');
    });
    expect((await cluster.list(ConfigMap, {})).items).toHaveLength(1);
    for await (const event of cluster.watch(ConfigMap, { resourceVersion: '0', timeoutSeconds: 1 })) {
      expect(event.type).toBe('ADDED');
      break;
    }
  });
});
