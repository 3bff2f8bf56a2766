import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Ports that were already returned in this process. Their users may not listen yet. */
const given = new Set<number>();

/**
 * A free TCP port on 127.0.0.1, a different one each time.
 *
 * It is below the ranges from which Linux and macOS choose local ports of outgoing connections, so that a server can
 * close it for a while and find it free again.
 *
 * @param draw proposes a port
 */
export async function freePort(draw: () => number = () => randomInt(20_000, 32_000)): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = draw();
    if (given.has(port) || !(await free(port))) continue;
    given.add(port);
    return port;
  }
  throw new Error('no free port between 20000 and 32000 on 127.0.0.1 after 100 attempts; stop some servers');
}

function free(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
