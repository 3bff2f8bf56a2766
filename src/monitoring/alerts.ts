/** An alert as Prometheus reads it, and where its runbook is. */
export interface AlertRule {
  readonly alert: string;
  /** PromQL that has results while the alert is active. */
  readonly expr: string;
  /** How long it must be active before it fires, such as `5m`. @default - at once */
  readonly for?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  /** The section of the runbook, relative to the folder `docs` of this package. @default - none */
  readonly runbook?: string;
}

/** Alerts that Prometheus evaluates together. */
export interface AlertGroup {
  readonly name: string;
  readonly rules: readonly AlertRule[];
}

/** The alerts of a system of this package, or of the operator itself. */
export interface SystemAlerts {
  /** The name of the system, or `operator`. */
  readonly system: string;
  /** The controllers whose metrics they read. None for the operator itself. */
  readonly controllers: readonly string[];
  readonly groups: readonly AlertGroup[];
}

/**
 * The alerts of the systems of these controllers, and of the operator.
 * @param controllers names
 */
export function alertsOf(all: readonly SystemAlerts[], controllers: readonly string[]): readonly AlertGroup[] {
  return all
    .filter((alerts) => alerts.system === 'operator' || alerts.controllers.some((name) => controllers.includes(name)))
    .flatMap(({ groups }) => groups);
}
