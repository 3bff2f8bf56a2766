import { isIPv6 } from 'node:net';
import { Agent, request } from 'undici';
import type { RestartAnswer, RestartQuestion } from '../../controllers/database/ports/restart.js';
import type { Source } from '../../runtime/ports/external-port.js';
import { boundedText } from './bounded-text.js';

/** Maximum length of a refusal, in characters. */
const most = 200;

/**
 * Restarts the PostgreSQL of an instance in place, over a separate connection, because restarts are rare.
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
        // Every version of Patroni accepts the old name of the role.
        body: JSON.stringify({ role: 'master', restart_pending: true }),
      },
    );
    const said = `${statusCode} ${await boundedText(body)}`.replace(/\s+/g, ' ').trim();
    return statusCode === 200 ? {} : { refused: said.slice(0, most) };
  } finally {
    await dispatcher.destroy();
  }
};
