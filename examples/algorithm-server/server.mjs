import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/** Behavior of each version. Environment variables override it. */
const versions = {
  '1.0.0': {},
  '1.1.0': {},
  '1.2.0': { errorRate: 0.03 },
  '1.3.0': { latencyMs: 120 },
  '1.4.0': { meanScore: 0.65 },
};
const env = (name, otherwise) => (process.env[name] === undefined ? otherwise : Number(process.env[name]));
const version = process.env.VERSION ?? '1.0.0';
const known = versions[version] ?? {};
/** Fraction of the requests that get status 500, from 0 to 1. */
const errorRate = env('ERROR_RATE', known.errorRate ?? 0);
/** Mean response time in milliseconds. Each response takes between half of it and one and a half times it. */
const latencyMs = env('LATENCY_MS', known.latencyMs ?? 2);
/** Mean of the predictions, from 0 to 1. */
const meanScore = env('MEAN_SCORE', known.meanScore ?? 0.5);
/** Milliseconds after the start in which every request succeeds, whatever the error rate. */
const goodForMs = env('GOOD_FOR_MS', 0);
/** Maximum number of concurrent predictions. Further requests wait. */
const abreast = env('ABREAST', Number.POSITIVE_INFINITY);
/** Milliseconds from SIGTERM until the server closes its connections. */
const drainMs = env('DRAIN_MS', 2000);

let stopping = false;
let predicting = 0;
const waiting = [];
/** Connections that have not sent a request yet. */
const unused = new Set();
const answered = new Map();
const duration = histogram('http_request_duration_seconds', [0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1, 2.5]);
const score = histogram('prediction_score', [0.1, 0.2, 0.3, 0.4, 0.45, 0.5, 0.55, 0.6, 0.7, 0.8, 0.9, 1]);

const server = createServer(async (request, response) => {
  unused.delete(request.socket);
  // Makes clients with keep-alive open their next connection to another Pod.
  if (stopping) response.setHeader('Connection', 'close');
  if (request.url === '/healthz') return response.writeHead(stopping ? 503 : 200).end();
  if (request.url === '/metrics') return response.setHeader('Content-Type', 'text/plain; version=0.0.4').end(metrics());
  return predict(response);
});
// Longer than proxies keep an idle connection. A server that closes it first loses the request in flight.
server.keepAliveTimeout = 120_000;
server.on('connection', (socket) => {
  unused.add(socket);
  socket.once('close', () => unused.delete(socket));
});
server.listen(env('PORT', 8080));
process.once('SIGTERM', stop);

async function predict(response) {
  const began = performance.now();
  if (predicting < abreast) predicting++;
  else await new Promise((resolve) => waiting.push(resolve));
  await pause(latencyMs * (0.5 + Math.random()));
  const next = waiting.shift();
  if (next) next();
  else predicting--;
  answer(response, performance.now() - began);
}

function answer(response, tookMs) {
  const prediction = Math.min(1, Math.max(0, meanScore + (Math.random() + Math.random() - 1) / 4));
  const code = process.uptime() * 1000 > goodForMs && Math.random() < errorRate ? 500 : 200;
  if (code === 200) score.observe(prediction);
  duration.observe(tookMs / 1000);
  answered.set(code, (answered.get(code) ?? 0) + 1);
  response.writeHead(code, { 'Content-Type': 'application/json', 'X-Version': version });
  response.end(JSON.stringify(code === 200 ? { version, score: prediction } : { version, error: 'no prediction' }));
}

/** Reports not ready and still answers requests. Then closes idle connections and accepts no others. */
async function stop() {
  stopping = true;
  await pause(drainMs);
  server.close();
  // Proxies open connections in advance. close() waits for these as for busy ones, for a minute or longer.
  for (const socket of unused) socket.destroy();
}

function metrics() {
  const counts = [...answered].map(([code, count]) => `http_requests_total{code="${code}"} ${count}\n`);
  return `# TYPE http_requests_total counter\n${counts.join('')}${duration.text()}${score.text()}`;
}

/** A histogram in the Prometheus text format. */
function histogram(name, bounds) {
  const counts = bounds.map(() => 0);
  let [sum, count] = [0, 0];
  const observe = (value) => {
    for (const [index, bound] of bounds.entries()) if (value <= bound) counts[index]++;
    sum += value;
    count++;
  };
  const bucket = (bound, times) => `${name}_bucket{le="${bound}"} ${times}\n`;
  const buckets = () => bounds.map((bound, index) => bucket(bound, counts[index])).join('') + bucket('+Inf', count);
  return { observe, text: () => `# TYPE ${name} histogram\n${buckets()}${name}_sum ${sum}\n${name}_count ${count}\n` };
}
