import { afterEach, describe, expect, it } from 'vitest';
import type { Cluster } from '../../../operator/runtime/ports/cluster.js';
import { type Log, silent } from '../../../operator/runtime/ports/telemetry.js';
import { jsonLog } from '../../../operator/telemetry/log.js';
import { bound } from '../runtime/given/house.js';
import { GivenOperator } from '../runtime/given/operator.js';
import { failure } from '../runtime/given/scripted-cluster.js';
import { widget, widgetController, widgetKind } from '../runtime/given/widgets.js';

/** A log, and the text that it wrote. */
function given(): { log: Log; text: () => string } {
  let text = '';
  const write = (more: string) => {
    text += more;
  };
  return { log: jsonLog('debug', { write }), text: () => text };
}

/** What a tenant might write into a name, a message or a field, to end a line early or forge another. */
const hostile = [
  'one\ntwo',
  'one\r\n{"level":"error","msg":"forged"}',
  '"}\n{"level":"error"',
  'line\u2028paragraph\u2029end',
  'half of a pair \ud800 alone',
  '\u001b[31mred\u001b[0m \u0000 \b',
  'naïve 東京 🚀',
  '__proto__',
];

/** As they leave the process: half of a pair has no bytes of its own. */
function asBytes(text: string): string {
  return Buffer.from(text).toString('hex');
}

describe('a line of the log', () => {
  it.each(hostile)('R32 stays one line of JSON for any input of a tenant: %j', (evil) => {
    const { log, text } = given();
    log.warn({ key: evil, error: evil, nested: { [evil]: evil } }, evil);
    const lines = text().split(/\r?\n/);
    expect(lines).toHaveLength(2); // the second is what follows the line's end
    expect(lines[1]).toBe('');
    const { level, time, key, msg } = JSON.parse(lines[0] ?? '');
    expect([level, asBytes(key), asBytes(msg)]).toEqual(['warn', asBytes(evil), asBytes(evil)]);
    expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });
});

describe('the lines of one pass', () => {
  let operator: GivenOperator | undefined;
  afterEach(async () => {
    await operator?.stop();
    await operator?.ended;
  });

  it('R32 bear its id, which no other pass has', async () => {
    const { log, text } = given();
    const create: Cluster['create'] = () => Promise.reject(failure(500, 'InternalError'));
    const faults = (cluster: Cluster): Cluster => ({ ...bound(cluster), create });
    operator = await new GivenOperator({ faults, telemetry: { ...silent, log } }).start();
    await operator.given(widgetKind, widget('web'));
    await operator.clock.advance(10);
    const lines = text()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const failed = lines.filter(({ msg }) => msg === 'Reconcile failed, requeueing');
    expect(failed.length).toBeGreaterThan(1);
    expect(new Set(failed.map(({ reconcileID }) => reconcileID)).size).toBe(failed.length);
    expect(failed.map(({ controller, key }) => `${controller} ${key}`)).toContain('widget team/web');
    for (const { reconcileID } of failed) expect(reconcileID).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('R32 tell of what broke in the code its place', async () => {
    const { log, text } = given();
    const desire = () => {
      throw new TypeError('no such field');
    };
    operator = await new GivenOperator({
      controllers: [widgetController({ desire })],
      telemetry: { ...silent, log },
    }).start();
    await operator.given(widgetKind, widget('web'));
    await operator.clock.advance(2_000);
    const failed = text()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .filter(({ level }) => level === 'error');
    expect(failed[0]).toMatchObject({
      error: 'desire of controller widget failed: no such field',
      stack: expect.stringContaining('log.test.ts'),
    });
    expect(failed.length).toBeGreaterThan(8);
    const placed = failed.filter(({ stack }) => stack !== undefined).map(({ failures }) => failures);
    expect(placed).toEqual([1, 2, 4, 8]);
  });

  it('R32 bear the same id where the pass itself has something to say', async () => {
    const { log, text } = given();
    const told: unknown[] = [];
    const span = <T>(name: string, fields: Readonly<Record<string, string>>, work: () => T): T => {
      if (name === 'reconcile') told.push(fields['reconcileID']);
      return work();
    };
    operator = await new GivenOperator({ telemetry: { ...silent, log, span } }).start();
    await operator.given(widgetKind, widget('web', { rejected: 'no good' }));
    const warned = text()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .filter(({ level }) => level === 'warn');
    expect(warned.length).toBeGreaterThan(0);
    for (const { reconcileID } of warned) expect(told).toContain(reconcileID);
  });
});
