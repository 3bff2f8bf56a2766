import type { Manifest, ManifestMeta } from '../manifest/plain.js';
import type { AlertGroup, AlertRule } from './alerts.js';

/** A PrometheusRule of the Prometheus operator. */
export interface PrometheusRule extends Manifest {
  readonly spec: { readonly groups: readonly object[] };
}

/**
 * The alerts as a PrometheusRule.
 * @param runbookBaseUrl URL of the folder `docs` in the version that runs. With it, each alert has `runbook_url`
 */
export function prometheusRule(
  metadata: ManifestMeta,
  groups: readonly AlertGroup[],
  runbookBaseUrl: string | undefined,
): PrometheusRule {
  const base = runbookBaseUrl?.replace(/\/+$/, '');
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata,
    spec: { groups: groups.map(({ name, rules }) => ({ name, rules: rules.map((rule) => linked(rule, base)) })) },
  };
}

function linked({ runbook, annotations, ...rule }: AlertRule, base: string | undefined): object {
  const link = base === undefined || runbook === undefined ? {} : { runbook_url: `${base}/${runbook}` };
  const all = { ...annotations, ...link };
  return Object.keys(all).length === 0 ? rule : { ...rule, annotations: all };
}
