import { expect, test } from 'vitest';
import { situationOf } from '../../../../operator/controllers/database/situation.js';
import { databaseView } from './given-view.js';

const at = '2026-11-22T02:50:12Z';
const replicated = (status: string, reason = '') => ({
  conditions: [{ type: 'Replicated', status, reason, lastTransitionTime: at }],
});

test('where timelines have ended is read from what Patroni keeps', () => {
  const { forks } = situationOf(databaseView({ history: '[[1,83886248,"","",""]]' }));
  expect(forks).toEqual({ 1: 83886248 });
});

test.each([
  { since: undefined, when: 'nothing was said', status: {} },
  { since: undefined, when: 'all did', status: replicated('True') },
  { since: undefined, when: 'that was not known', status: replicated('Unknown') },
  { since: Date.parse(at), when: 'that was said', status: replicated('False') },
  { since: Date.parse(at), when: 'they were being made', status: replicated('Unknown', 'Initializing') },
])('not every replica follows since $since, when $when', ({ since, status }) => {
  expect(situationOf(databaseView({ status })).degradedSince).toBe(since);
});

test.each([
  { has: false, spec: {} },
  { has: true, spec: { backup: { target: { volume: {} } } } },
])('what the log had is archived ($has) where backups are made', ({ has, spec }) => {
  expect(situationOf(databaseView({ spec })).hasArchive).toBe(has);
});

test('each instance is ready since its Pod is, or unready', () => {
  const conditions = (status: string) => ({ conditions: [{ type: 'Ready', status, lastTransitionTime: at }] });
  const { instances } = situationOf(
    databaseView({ pods: { 'orders-2': conditions('True'), 'orders-3': conditions('False') } }),
  );
  expect(instances.map(({ readySince }) => readySince).slice(1)).toEqual([Date.parse(at), undefined]);
  expect(instances.map(({ unreadySince }) => unreadySince).slice(1)).toEqual([undefined, Date.parse(at)]);
});
