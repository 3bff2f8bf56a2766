import { type ClientOptions, CountingClient } from './counting-client.js';

/** Tells each second on a line of its own, as JSON, until it is asked to stop. */
const client = new CountingClient(JSON.parse(process.argv[2] ?? '{}') as ClientOptions);
const tell = () => console.log(JSON.stringify(client.take()));
const telling = setInterval(tell, 1000);
process.once('SIGTERM', async () => {
  await client.stop();
  clearInterval(telling);
  tell();
});
