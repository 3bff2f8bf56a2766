import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { pageCommands } from './page-commands.js';

const [script] = pageCommands().filter(({ text }) => text.startsWith('set -e\n'));

/** Programs that the script calls: kind lists the nodes, also those that are off, and docker prints its arguments. */
const programs = `
kind() { printf 'c\\na\\nb\\n'; }
docker() { echo "docker $*"; }
`;

test.each([
  ['kill', 'docker kill b'],
  ['start', 'docker start b'],
  ['partition', 'docker exec b iptables -t raw -I PREROUTING -i eth0 -j DROP'],
  ['heal', 'docker exec b iptables -t raw -D PREROUTING -i eth0 -j DROP'],
])('power.sh of the page: "%s 2" runs %s on the second node by name', (verb, command) => {
  const output = execFileSync('sh', ['-c', `${programs}${script?.text}`, 'sh', verb, '2'], { encoding: 'utf8' });
  expect(output).toBe(`${command}\n`);
});
