import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

/**
 * A free TCP port on 127.0.0.1, a different one each time, also in other processes that call this function.
 *
 * It is below the ranges from which Linux and macOS choose local ports of outgoing connections, so that a server can
 * close it for a while and find it free again.
 *
 * @param draw proposes a port
 */
export async function freePort(draw: () => number = () => randomInt(20_000, 32_000)): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = draw();
    if ((await isFree(port)) && (await reserve(port))) return port;
  }
  throw new Error('no free port between 20000 and 32000 on 127.0.0.1 after 100 attempts; stop some servers');
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/**
 * Reserves a port until this process ends, because its server may not listen yet or may be stopped for a while. The
 * reservation is a UDP socket on another port, which servers do not use and the system closes with the process.
 */
function reserve(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4').unref();
    socket.once('error', () => resolve(false));
    socket.bind({ port: port - 12_000, address: '127.0.0.1', exclusive: true }, () => resolve(true));
  });
}
