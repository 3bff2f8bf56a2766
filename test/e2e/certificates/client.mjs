// Shakes hands 50 times a second with each server, and sends requests on one connection each. Prints totals every second.
import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:https';
import { connect } from 'node:tls';

const servers = (process.env.SERVERS ?? '').split(',');
const servername = 'shop.example.com';
const totals = { handshakes: 0, requests: 0, failures: 0, reasons: {}, serials: {} };
const trusted = () => readFileSync('/etc/shop/ca.crt');

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
    totals.serials[host] = socket.getPeerCertificate().serialNumber.toLowerCase();
    socket.end();
    socket.destroy();
  });
}

for (const host of servers) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  setInterval(() => shake(host), 20);
  setInterval(() => {
    const request = get({ host, port: 443, servername, ca: trusted(), agent, timeout: 10_000 }, (response) => {
      response.resume();
      response.once('end', () => totals.requests++);
    });
    request.on('error', (error) => failed(`request to ${host}`, error));
  }, 200);
}
setInterval(() => console.log(JSON.stringify(totals)), 1_000);
