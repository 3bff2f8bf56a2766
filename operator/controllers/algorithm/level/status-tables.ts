import type { AlgorithmResource } from '../../../../imports/index.js';
import { relativeTime, type Shown, type Table } from '../../../runtime/index.js';

/** The service level and the latency of the stable version, each with its target. */
export function statusTables({ resource, now }: Shown<AlgorithmResource>): readonly Table[] {
  const tables: readonly Table[] = [
    { title: 'Service level', rows: slaRows(resource, now) },
    { title: 'Latency', rows: latencyRows(resource, now) },
  ];
  return tables.filter(({ rows }) => rows.length > 0);
}

function slaRows({ spec, status }: AlgorithmResource, now: number): Table['rows'] {
  if (!spec.sla) return [];
  const { availability, burnRate, requests, failed, since } = status?.sla ?? {};
  return [
    {
      AVAILABILITY: availability === undefined ? undefined : percent(availability),
      OBJECTIVE: percent(spec.sla.availability),
      WINDOW: spec.sla.window,
      'BURN RATE': burnRate,
      REQUESTS: requests,
      FAILED: failed,
      'MEASURED SINCE': relativeTime(since, now),
    },
  ];
}

function latencyRows({ spec, status }: AlgorithmResource, now: number): Table['rows'] {
  const { scaling, lifecycle } = spec;
  if (scaling?.targetLatencyMs === undefined) return [];
  const latencyMs = status?.stable?.latencyMs;
  return [
    {
      LATENCY: latencyMs === undefined ? undefined : `${latencyMs} ms`,
      TARGET: `${scaling.targetLatencyMs} ms`,
      PERCENTILE: lifecycle?.latency?.percentile ?? 95,
      'MINIMUM REPLICAS': status?.scaling?.minReplicas ?? scaling.minReplicas,
      CHANGED: relativeTime(status?.scaling?.since, now),
    },
  ];
}

function percent(fraction: number): string {
  return `${Number((fraction * 100).toFixed(4))}%`;
}
