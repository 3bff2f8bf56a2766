import { expect, it, vi } from 'vitest';
import { freePort } from '../../../../operator/testing/control-plane/free-port.js';

const drawing = (...ports: number[]) => {
  return () => ports.shift() ?? 0;
};

it('a port is not handed out twice, even before a process listens on it', async () => {
  const draw = drawing(31_990, 31_990, 31_991);
  expect([await freePort(draw), await freePort(draw)]).toEqual([31_990, 31_991]);
});

it('a port is not handed out to two processes', async () => {
  expect(await freePort(drawing(31_992))).toBe(31_992);
  // A second copy of the module knows as little of the first as one in another process.
  vi.resetModules();
  const other = await import('../../../../operator/testing/control-plane/free-port.js');
  expect(other.freePort).not.toBe(freePort);
  expect(await other.freePort(drawing(31_992, 31_993))).toBe(31_993);
});
