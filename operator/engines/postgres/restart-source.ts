import { isIPv6 } from 'node:net';
import { Agent, request } from 'undici';
import type { RestartAnswer, RestartQuestion } from '../../controllers/database/ports/restart.js';
import type { Source } from '../../runtime/ports/external-port.js';
import { boundedText } from './bounded-text.js';

/** Characters of a refusal, at the most. */
const most = 200;

/**
 * Has an instance restart its PostgreSQL in place, over a connection of its own: it happens once in a long while.
 * @see https://patroni.readthedocs.io/en/latest/rest_api.html#restart-endpoint
 */
export const restartSource: Source<RestartQuestion, RestartAnswer> = async (question, { signal }) => {
  const { authority, certified, port, address, host } = question;
  const dispatcher = new Agent({ connect: { ca: authority, cert: certified.certificate, key: certified.key } });
  try {
    const { statusCode, body } = await request(
      `https://${isIPv6(address) ? `[${address}]` : address}:${port}/restart`,
      {
        ...{ dispatcher, signal, method: 'POST' },
        headers: { host: `${host}:${port}`, 'content-type': 'application/json' },
        // By the old word for a primary, which every version knows.
        body: JSON.stringify({ role: 'master', restart_pending: true }),
      },
    );
    const said = `${statusCode} ${await boundedText(body)}`.replace(/\s+/g, ' ').trim();
    return statusCode === 200 ? {} : { refused: said.slice(0, most) };
  } finally {
    await dispatcher.destroy();
  }
};
