import { expect, it } from 'vitest';
import { freePort } from '../../../../operator/testing/control-plane/free-port.js';

it('a port is not handed out twice, even before a process listens on it', async () => {
  const drawn = [31_990, 31_990, 31_991];
  const draw = () => drawn.shift() ?? 0;
  expect([await freePort(draw), await freePort(draw)]).toEqual([31_990, 31_991]);
});
