import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { type RecordedLine, svgOf } from './svg.js';

// Records the demo for the README: `npm run recording`, from the root.
const path = 'docs/demo.svg';
const command = ['npm', 'start', '--', '--once'] as const;

const child = spawn(command[0], command.slice(1), { stdio: ['ignore', 'pipe', 'inherit'] });
const began = performance.now();
const lines: RecordedLine[] = [];
createInterface(child.stdout).on('line', (text) => lines.push({ at: performance.now() - began, text }));
const [code] = await once(child, 'close');
if (code !== 0) throw new Error(`${command.join(' ')} exited with code ${code}`);

// npm prints the script that it runs, and an empty line.
const first = lines.findIndex(({ text }) => text.startsWith('starting a control plane'));
writeFileSync(path, svgOf({ command: command.join(' '), lines: lines.slice(first) }));
console.log(`wrote ${path}`);
