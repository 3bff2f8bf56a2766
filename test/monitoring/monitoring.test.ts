import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { dashboards as loadDashboards } from '../../cli/systems.js';
import { metrics as ofLevels } from '../../operator/controllers/algorithm/level/metrics.js';
import { metrics as ofTrials } from '../../operator/controllers/algorithm/trial/metrics.js';
import { metrics as ofCertificates } from '../../operator/controllers/certificates/certificate/metrics.js';
import { controllers, systems } from '../../operator/controllers/index.js';
import { metrics as ofRotations } from '../../operator/controllers/secret-rotation/metrics.js';
import type { Controller } from '../../operator/runtime/controller/controller.js';
import { silent } from '../../operator/runtime/ports/telemetry.js';
import { Metrics } from '../../operator/telemetry/metrics.js';
import { parseYaml } from '../../operator/yaml/parse-yaml.js';
import { algorithm, onTrial, promoted } from '../cli/algorithm/given-trial.js';
import { brokerMetrics, controllerMetrics } from '../given/kafka-metrics.js';
import { GivenOperator } from '../operator/runtime/given/operator.js';

interface Rules {
  readonly groups: readonly { readonly rules: readonly { readonly alert: string; readonly expr: string }[] }[];
}
interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[];
}

/** Names of the files of rules: a system, or the operator. */
const ruleFiles = [...systems.map(({ name }) => name), 'operator'];
const rules = (parseYaml(readFileSync('docs/monitoring/rules.yaml', 'utf8')) as Rules).groups.flatMap(
  ({ rules }) => rules,
);
const dashboards = await loadDashboards();
const panels = dashboards.flatMap(
  ({ file }) => (JSON.parse(readFileSync(`docs/monitoring/${file}.json`, 'utf8')) as Dashboard).panels,
);

/** Metrics of kube-state-metrics, which the page on observability requires, and of the exporter in the image of Kafka. */
const foreign = [
  ...['kube_deployment_status_replicas_available', 'kube_daemonset_status_number_available'],
  ...[...brokerMetrics, ...controllerMetrics],
];

function known(): readonly string[] {
  const metrics = new Metrics();
  metrics.observe(new GivenOperator().operator);
  metrics.telemetry(silent.log);
  const figures = controllers.flatMap((controller) => Object.keys(controller.metrics ?? {}));
  return [...metrics.registry.getMetricsAsArray().map(({ name }) => name), ...figures, ...foreign];
}

const expressions = [
  ...rules.map(({ alert, expr }) => ({ what: `alert ${alert}`, expr })),
  ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ what: `panel ${title}`, expr }))),
];

test.each(expressions)('$what uses existing metrics', ({ expr }) => {
  const named = expr.match(/\b(reconstruct|controller_runtime|workqueue|leader_election|kube|kafka)_\w+/g) ?? [];
  expect(named.length).toBeGreaterThan(0);
  const names = new Set(known());
  expect(named.filter((name) => !names.has(name) && !names.has(name.replace(/_(bucket|sum|count)$/, '')))).toEqual([]);
});

test.each(dashboards)('the dashboard $title offers the namespaces of existing metrics', ({ namespacesOf }) => {
  expect(namespacesOf.length).toBeGreaterThan(0);
  expect(known()).toEqual(expect.arrayContaining([...namespacesOf]));
});

test.each(expressions)('$what names existing controllers, conditions and reasons', ({ expr }) => {
  for (const [, labels = ''] of expr.matchAll(/reconstruct_resources\{([^}]*)\}/g)) {
    const named = valuesOf('controller', labels);
    const asked = named.length > 0 ? named : controllers.map(({ name }) => name);
    expect(controllers.map(({ name }) => name)).toEqual(expect.arrayContaining([...asked]));
    const reported = controllers.filter(({ name }) => asked.includes(name)).flatMap(reportedBy);
    const conditions = valuesOf('condition', labels);
    const ofThese = reported.filter(({ type }) => conditions.length === 0 || conditions.includes(type));
    expect(ofThese.map(({ type }) => type)).toEqual(expect.arrayContaining([...conditions]));
    expect(ofThese.map(({ reason }) => reason)).toEqual(expect.arrayContaining([...valuesOf('reason', labels)]));
  }
});

test.each(expressions)('$what counts the resources of one kind, or names the controllers', ({ expr }) => {
  for (const [, labels = ''] of expr.matchAll(/reconstruct_resources\{([^}]*)\}/g)) {
    if (valuesOf('controller', labels).length > 0) continue;
    const [conditions, reasons] = [valuesOf('condition', labels), valuesOf('reason', labels)];
    const counted = controllers.filter((controller) =>
      reportedBy(controller).some(
        ({ type, reason }) => conditions.includes(type) && (reasons.length === 0 || reasons.includes(reason)),
      ),
    );
    // Backups are those of a Database.
    const kinds = new Set(counted.map(({ kind }) => kind.kind.replace(/Backup$/, '')));
    expect([...kinds].length, [...kinds].join(', ')).toBe(1);
  }
});

/** The values of a label in a selector. */
function valuesOf(label: string, labels: string): readonly string[] {
  return labels.match(new RegExp(`\\b${label}=~?"([^"]*)"`))?.[1]?.split('|') ?? [];
}

/** The conditions that a controller reports, each with its reasons. */
function reportedBy({ conditions }: Controller): readonly { readonly type: string; readonly reason: string }[] {
  return Object.entries(conditions).flatMap(([type, reasons]) =>
    Object.keys(reasons).map((reason) => ({ type, reason })),
  );
}

test('the page on observability describes each alert', () => {
  const page = readFileSync('docs/operator/alerts.md', 'utf8');
  const documented = [...page.matchAll(/^\| `([A-Z]\w+)` \|/gm)].map(([, alert]) => alert);
  expect(documented).toEqual(rules.map(({ alert }) => alert));
});

interface AlertTest {
  readonly alertname: string;
  readonly exp_alerts: readonly object[];
}

test.each(ruleFiles)('promtool evaluates series that fire each alert of %s, and no others', (name) => {
  const { tests } = parseYaml(readFileSync(`test/monitoring/${name}.test.yaml`, 'utf8')) as {
    readonly tests: readonly { readonly alert_rule_test: readonly AlertTest[] }[];
  };
  const evaluated = tests.flatMap((one) => one.alert_rule_test);
  const fired = evaluated.filter(({ exp_alerts }) => exp_alerts.length > 0).map(({ alertname }) => alertname);
  const { groups } = parseYaml(readFileSync(`docs/monitoring/rules/${name}.yaml`, 'utf8')) as Rules;
  const alerts = groups.flatMap((group) => group.rules.map(({ alert }) => alert));
  expect(alerts).not.toEqual([]);
  expect(alerts.filter((alert) => !fired.includes(alert))).toEqual([]);
  expect(evaluated.map(({ alertname }) => alertname).filter((alert) => !alerts.includes(alert))).toEqual([]);
});

test.each([
  { when: 'it is judged', resource: algorithm(onTrial), weight: 20, start: Date.parse('2030-01-01') / 1000 },
  { when: 'it is paused', resource: algorithm(onTrial, { paused: true }), weight: 20, start: undefined },
  {
    when: 'it is in its bake',
    resource: algorithm({ ...onTrial, conditions: promoted('True', 'Baking') }),
    ...{ weight: 20, start: undefined },
  },
  { when: 'there is none', resource: algorithm({ phase: 'Running' }), weight: undefined, start: undefined },
  { when: 'nothing is known yet', resource: algorithm(undefined), weight: undefined, start: undefined },
])('metrics of a trial when $when', ({ resource, weight, start }) => {
  expect(ofTrials.reconstruct_algorithm_trial_weight.valueFrom(resource)).toBe(weight);
  expect(ofTrials.reconstruct_algorithm_trial_start_time_seconds.valueFrom(resource)).toBe(start);
});

test.each([
  { value: 1, when: 'each consumer has it', status: 'True' as const },
  { value: 0, when: 'a consumer does not have it', status: 'Unknown' as const },
  { value: undefined, when: 'there are no consumers', status: undefined },
])('the metric of adopted content is $value when $when', ({ value, status }) => {
  const lastTransitionTime = '2030-01-01T00:00:00Z';
  const adopted = status && { ...{ type: 'Adopted', reason: 'Given', message: 'Given' }, status, lastTransitionTime };
  const resource = { status: { conditions: adopted ? [adopted] : [] } } as never;
  expect(ofCertificates.reconstruct_certificate_adopted.valueFrom(resource)).toBe(value);
  expect(ofRotations.reconstruct_secret_rotation_adopted.valueFrom(resource)).toBe(value);
});

test('the burn rate is reported while the spec has a service level', () => {
  const { reconstruct_algorithm_sla_burn_rate: burnRate } = ofLevels;
  const sla = { burnRate: 2, requests: 100, failed: 2, since: '2030-01-01T00:00:00Z' };
  const held = algorithm({ sla });
  expect(burnRate.valueFrom({ ...held, spec: { ...held.spec, sla: { availability: 0.99 } } } as typeof held)).toBe(2);
  expect(burnRate.valueFrom(held)).toBeUndefined();
});
