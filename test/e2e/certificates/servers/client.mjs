// Shakes hands with each server many times a second, and sends requests on one connection each. Prints totals every second.
import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:https';
import { connect } from 'node:tls';

/** By name: handshakes a second. */
const servers = (process.env.SERVERS ?? '').split(',').map((one) => one.split(':'));
const servername = 'shop.example.com';
const totals = { handshakes: 0, requests: 0, reopened: 0, failures: 0, reasons: {}, serials: {} };
/** The serial numbers by server. The totals have only their number: a long line of a log is cut. */
const serials = {};
const trusted = () => readFileSync('/etc/trusted/ca.crt');

function failed(what, error) {
  totals.failures++;
  const reason = `${what}: ${error.code ?? ''} ${error.message}`;
  totals.reasons[reason] = (totals.reasons[reason] ?? 0) + 1;
}

function shake(host) {
  const socket = connect({ host, port: 443, servername, ca: trusted() });
  socket.setTimeout(10_000, () => socket.destroy(new Error('timed out')));
  socket.on('error', (error) => failed(`handshake with ${host}`, error));
  socket.once('secureConnect', () => {
    totals.handshakes++;
    const serial = socket.getPeerCertificate().serialNumber.toLowerCase();
    serials[host] = (serials[host] ?? new Set()).add(serial);
    totals.serials[host] = { different: serials[host].size, latest: serial };
    socket.destroy();
  });
}

/** A connection that the server closed between two requests is opened again. */
function ask(host, agent) {
  const request = get({ host, port: 443, servername, ca: trusted(), agent, timeout: 10_000 }, (response) => {
    response.resume();
    response.once('end', () => totals.requests++);
  });
  request.on('error', (error) => {
    if (!request.reusedSocket || error.code !== 'ECONNRESET') return failed(`request to ${host}`, error);
    totals.reopened++;
    ask(host, agent);
  });
}

for (const [host, rate] of servers) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  setInterval(() => shake(host), 1000 / Number(rate));
  setInterval(() => ask(host, agent), 200);
}
setInterval(() => console.log(JSON.stringify(totals)), 1_000);
