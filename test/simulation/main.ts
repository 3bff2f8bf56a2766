import { run } from '../../operator/testing/simulation/run.js';
import { subjects } from './subjects.js';
const [name='maps', from='0', count='1', show] = process.argv.slice(2);
const s = subjects[name]!;
const t0 = performance.now();
let lines = 0; const broken: Record<string, number[]> = {};
for (let seed = Number(from); seed < Number(from) + Number(count); seed++) {
  const r = await run(s.controller, s.given, { seed });
  lines += r.lines.length;
  if (r.broken) { (broken[r.broken.promise] ??= []).push(seed); }
  if (show || (r.broken && Number(count) === 1)) console.log(r.lines.join('\n'));
}
console.log({ ms: (performance.now() - t0) / Number(count), lines: lines / Number(count) });
for (const [p, seeds] of Object.entries(broken)) console.log(p, seeds.length, seeds.slice(0, 8));
