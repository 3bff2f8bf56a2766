// `npm test`: what needs no running code is checked at the same time, then the unit tests run beside the tests on a real
// control plane, which wait for most of their time. Arguments are vitest's.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const began = performance.now();
const times = mkdtempSync(join(tmpdir(), 'times-'));
process.exitCode = (await prove()) ? 0 : 1;
rmSync(times, { recursive: true });
console.log(`npm test took ${((performance.now() - began) / 1000).toFixed(0)} s`);

/** @returns whether all of it passed */
async function prove() {
  // What is built has its types checked once, by the first.
  const checks = ['typecheck', 'lint', 'build:unchecked'].map((script) =>
    run(`npm run ${script}`, 'npm', ['run', '--silent', script]),
  );
  if (!(await all(checks))) return false;
  const chosen = process.argv.slice(2);
  // What is chosen can be all in one of the two; a whole run that finds no test has failed.
  const args = ['vitest', 'run', ...(chosen.length > 0 ? ['--passWithNoTests', ...chosen] : [])];
  const passed = await all([
    run('unit tests', 'npx', [...args, '--project', 'unit*'], { VITEST_MAX_WORKERS: '2' }),
    run('integration tests', 'npx', [...args, '--project', 'integration*'], { VITEST_MAX_WORKERS: '2' }),
  ]);
  const files = readdirSync(times).flatMap((name) => JSON.parse(readFileSync(join(times, name), 'utf8')));
  console.log('The slowest files:');
  for (const { file, seconds } of files.toSorted((a, b) => b.seconds - a.seconds).slice(0, 10))
    console.log(`${seconds.toFixed(1).padStart(8)} s  ${file}`);
  return passed;
}

async function all(runs) {
  return (await Promise.all(runs)).every(Boolean);
}

/** Runs a program. Of the tests every line is printed as it comes, of the others what they printed if they fail. @returns whether it ended with 0 */
async function run(title, program, args, env) {
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    // The programs of a control plane collect garbage less often: they have the memory, and the tests wait for them.
    env: { GOGC: '800', ...process.env, ...env, RECONSTRUCT_TEST_TIMES: times },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      if (env) process.stdout.write(text);
      else output += text;
    });
  const [code] = await once(child, 'close');
  if (code !== 0) process.stdout.write(output);
  console.log(
    `${code === 0 ? 'passed' : 'FAILED'}: ${title}, after ${((performance.now() - began) / 1000).toFixed(0)} s`,
  );
  return code === 0;
}
