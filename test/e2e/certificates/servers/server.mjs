// Serves HTTPS with the files of a Secret. RELOAD=files loads them again when they change; otherwise only a restart does.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';

const folder = '/etc/shop';
const context = () => ({ cert: readFileSync(`${folder}/tls.crt`), key: readFileSync(`${folder}/tls.key`) });
const text = () => Object.values(context()).join('');

let isEnding = false;
let loaded = text();
const server = createServer(context(), (_, response) => {
  if (isEnding) response.setHeader('Connection', 'close');
  response.end('ok');
});
server.listen(8443);

if (process.env.RELOAD === 'files')
  setInterval(() => {
    if (text() === loaded) return;
    loaded = text();
    server.setSecureContext(context());
  }, 500);

process.on('SIGTERM', () => {
  isEnding = true;
  // Endpoints leave the Service a moment after the signal.
  setTimeout(() => server.close(() => process.exit(0)), 5_000);
});
