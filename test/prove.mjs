// `npm test`: what needs no running code is checked at the same time, then come the tests. Arguments are vitest's.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

const began = performance.now();

const checks = ['typecheck', 'lint', 'build'].map(async (script) => {
  const child = spawn('npm', ['run', '--silent', script], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      output += text;
    });
  }
  const [code] = await once(child, 'close');
  console.log(`${code === 0 ? 'passed' : 'FAILED'} npm run ${script}, after ${seconds()} s`);
  if (code !== 0) console.log(output);
  return code === 0;
});
if (!(await Promise.all(checks)).every(Boolean)) process.exit(1);

const tests = spawn('npx', ['vitest', 'run', ...process.argv.slice(2)], { stdio: 'inherit' });
const [code] = await once(tests, 'close');
console.log(`npm test took ${seconds()} s in all`);
process.exit(code ?? 1);

/** Since the beginning. */
function seconds() {
  return ((performance.now() - began) / 1000).toFixed(0);
}
