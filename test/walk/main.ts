import { writtenSources } from '../sources.js';
import { walkFrom, walkText } from './walk.js';

// Prints what somebody reads who follows one reconcile: `npm run walk`, from the root.
const start = { path: 'operator/runtime/reconcile/reconcile.ts', name: 'reconcile' };
console.log(walkText(walkFrom(start, writtenSources(process.cwd()))));
