import type { AlgorithmResource, AlgorithmStatus } from '../../../../../imports/index.js';

type Version = NonNullable<AlgorithmStatus['stable']> & Pick<NonNullable<AlgorithmStatus['trial']>, 'variants'>;

/** A version, or the requests of a variant, as text for users. */
export interface VersionRow {
  /** `stable`, `trial`, or `variant` with its name. */
  readonly name: string;
  readonly version: string | undefined;
  readonly weight: string;
  /** Ready and desired replicas. */
  readonly ready: string | undefined;
  readonly requests: number | undefined;
  readonly success: string | undefined;
  readonly latency: string | undefined;
  readonly drift: number | undefined;
}

/** The stable version, the version on trial, and its variants. */
export function versionRows(status: AlgorithmStatus | undefined): readonly VersionRow[] {
  const { stable, trial, readyReplicas } = status ?? {};
  return [
    ...(stable ? [versionRow('stable', { readyReplicas, ...stable } as Version)] : []),
    ...(isOnTrial(trial) ? [versionRow('trial', trial)] : []),
    ...(trial?.variants ?? []).map((variant) => ({
      ...{ name: `variant ${variant.name}`, version: undefined, weight: 'header', ready: undefined },
      ...requestCells(variant),
      drift: undefined,
    })),
  ];
}

/** The steps of a trial, with the current one in brackets. Undefined if no version is on trial. */
export function stepsText({ spec: { lifecycle }, status }: AlgorithmResource): string | undefined {
  const { trial } = status ?? {};
  if (!lifecycle || !isOnTrial(trial)) return undefined;
  const steps = lifecycle.steps?.length ? lifecycle.steps : [{ weight: lifecycle.canaryWeight, for: '0s' }];
  const present = steps.findLastIndex(({ weight }) => weight <= trial.weight);
  const shown = steps.map(({ weight, for: time }, index) => {
    const step = time === '0s' ? `${weight}%` : `${weight}% for ${time}`;
    return index === present ? `[${step}]` : step;
  });
  return shown.join(' -> ');
}

/** True of a version on trial. During its bake it is the stable version. */
function isOnTrial<Trial extends { readonly weight?: number }>(
  trial: Trial | undefined,
): trial is Trial & { readonly version: string; readonly weight: number } {
  return trial?.weight !== undefined;
}

function versionRow(name: string, version: Version): VersionRow {
  const { replicas, readyReplicas = 0, drift } = version;
  const ready = replicas === undefined ? undefined : `${readyReplicas}/${replicas}`;
  return { name, version: version.version, weight: `${version.weight}%`, ready, ...requestCells(version), drift };
}

function requestCells({ requests, success, latencyMs }: Pick<Version, 'requests' | 'success' | 'latencyMs'>) {
  return {
    requests,
    success: success === undefined ? undefined : `${Number((success * 100).toFixed(3))}%`,
    latency: latencyMs === undefined ? undefined : `${latencyMs} ms`,
  };
}
