import { readFile } from 'node:fs/promises';
import { until } from '../../chaos/wait.js';
import {
  type AlertLabels,
  findPrometheus,
  type Prometheus,
  startPrometheus,
  type Targets,
} from '../../operator/engines/metrics/given-prometheus.js';
import { figure, seconds } from '../algorithm/figure.js';
import { underKills } from '../cluster/kill-mode.js';
import { hastenedRules } from './hastened-rules.js';
import { operatorTargets } from './targets.js';

/** Something that goes wrong, which an alert is about, and then is well again. */
export interface Trouble {
  /** Labels that the alert has. */
  readonly alert: AlertLabels;
  readonly begin: () => Promise<unknown>;
  readonly end: () => Promise<unknown>;
}

/** How long is waited for an alert. */
export interface AlertPatience {
  /** Seconds. @default 60 */
  readonly within?: number;
  /** When the cause came or went, for the figure, in milliseconds since 1970. @default - now */
  readonly since?: number;
}

const found = await findPrometheus();
/** Why the tests of alerts are left out. Undefined if they run. */
const obstacle = 'absent' in found ? found.absent : underKills ? 'Prometheus loses the Pods of a killed operator' : '';

/** True if the tests of alerts are left out. */
export const unwatched = obstacle !== '';

/** The note in the title of a skipped test. */
export const watchNote = unwatched ? ` (left out: ${obstacle})` : '';

/** A Prometheus that scrapes the operator and evaluates the rules of one kind, with shorter times. */
export class AlertWatch {
  readonly #fired = new Set<string>();

  private constructor(
    private readonly prometheus: Prometheus,
    /** Line of the contract, for the figures. */
    private readonly line: number,
  ) {}

  /** @param group of the rules @param line of the contract @param targets Defaults to the Pods of the operator */
  static async start(group: string, line: number, targets?: Targets): Promise<AlertWatch> {
    const rules = await readFile('docs/monitoring/rules.yaml', 'utf8');
    const prometheus = await startPrometheus('program' in found ? found.program : '', {
      ...(targets ?? (await operatorTargets())),
      rules: hastenedRules(rules, group, { for: '2s', window: '2m' }),
    });
    return new AlertWatch(prometheus, line);
  }

  stop(): Promise<void> {
    return this.prometheus.stop();
  }

  /**
   * Resolves when all Pods are scraped and no alert fires. One about a resource of another namespace may fire. One that counts
   * the resources of all namespaces may not: it may be over when those of another test are gone.
   */
  async untilCalm(own: string): Promise<void> {
    let firing: readonly AlertLabels[] = [];
    const isCalm = async () => {
      firing = (await this.prometheus.firing()).filter(({ namespace = own }) => namespace === own);
      return (await this.isScraping()) && firing.length === 0;
    };
    const instead = () => firing.map(textOf).join(', ');
    await until(isCalm, { what: 'no alert fires', within: 120_000, every: 500, instead });
  }

  /** Resolves when an alert fires. */
  async untilFiring(alert: AlertLabels, patience: AlertPatience = {}): Promise<void> {
    await this.#untilSo(alert, 'fires', () => this.fires(alert), patience);
    this.#fired.add(alert.alertname);
  }

  /** Resolves when an alert no longer fires, although all Pods are scraped. */
  async untilOver(alert: AlertLabels, patience: AlertPatience = {}): Promise<void> {
    const isSo = async () => (await this.isScraping()) && !(await this.fires(alert));
    await this.#untilSo(alert, 'is over', isSo, patience);
  }

  /**
   * Shows that an alert fires for a trouble, and stops when it is over. The alert does not fire before.
   * @param within seconds, from the end of `begin` and of `end`
   */
  async show({ alert, begin, end }: Trouble, within?: number): Promise<void> {
    const patience = () => ({ since: Date.now(), ...(within !== undefined && { within }) });
    if (await this.fires(alert)) throw new Error(`${textOf(alert)} fires before there is a reason`);
    const beginning = patience();
    await begin();
    let ending = patience();
    try {
      await this.untilFiring(alert, beginning);
    } finally {
      ending = patience();
      await end();
    }
    await this.untilOver(alert, ending);
  }

  /** True if an alert fires that has at least these labels. */
  async fires(alert: AlertLabels): Promise<boolean> {
    const firing = await this.prometheus.firing();
    return firing.some((labels) => Object.entries(alert).every(([name, value]) => labels[name] === value));
  }

  value(expression: string): Promise<number | undefined> {
    return this.prometheus.value(expression);
  }

  /** The alerts of the group that did not fire so far. */
  async unfired(): Promise<readonly string[]> {
    const rules = await this.prometheus.rules();
    return rules.map(({ name }) => name).filter((name) => !this.#fired.has(name));
  }

  private async isScraping(): Promise<boolean> {
    return (await this.value('min(up)')) === 1;
  }

  async #untilSo(
    alert: AlertLabels,
    what: string,
    isSo: () => Promise<boolean>,
    { within = 60, since = Date.now() }: AlertPatience,
  ): Promise<void> {
    let firing: readonly AlertLabels[] = [];
    const look = async () => {
      firing = await this.prometheus.firing();
      return isSo();
    };
    const instead = () => `these fire: ${firing.map(textOf).join(', ') || 'none'}`;
    const about = `${textOf(alert)} ${what}`;
    await until(look, { what: about, within: within * 1_000, every: 500, instead });
    figure(this.line, `${about} after ${seconds(since, Date.now())}`);
  }
}

function textOf({ alertname, ...labels }: AlertLabels): string {
  return `${alertname} ${JSON.stringify(labels)}`;
}
