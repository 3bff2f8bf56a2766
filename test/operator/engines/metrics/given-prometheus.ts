import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pod } from '../../../../operator/engines/metrics/pods.js';
import { freePort } from '../../../../operator/testing/control-plane/free-port.js';
import { GuardedProcess } from '../../../../operator/testing/control-plane/guarded-process.js';
import { stringifyYaml } from '../../../../operator/yaml/stringify-yaml.js';
import { debianProgram, type FoundProgram } from '../../../given/debian-program.js';

/** Prometheus: in the path, of an earlier run, or unpacked from Debian's package without installing it. */
export function findPrometheus(env: NodeJS.ProcessEnv = process.env): Promise<FoundProgram> {
  return debianProgram('prometheus', env);
}

/** Pods of a namespace, which tell at a port. */
export interface Targets {
  readonly pods: readonly Pod[];
  readonly port: number;
  readonly namespace: string;
}

export interface Scraped extends Targets {
  /** @default - none */
  readonly others?: Targets;
  /** Rules in YAML, which are evaluated every second. @default - none */
  readonly rules?: string;
}

/** Labels of an alert, without those of its target. */
export type AlertLabels = { readonly alertname: string } & Readonly<Record<string, string>>;

/** A Prometheus that runs until it is stopped. */
export class Prometheus {
  constructor(
    readonly url: URL,
    private readonly process: GuardedProcess,
  ) {}

  /** Asks its API. @param what such as `rules` @returns undefined while it does not answer, or starts */
  async ask(what: string): Promise<unknown> {
    const answer = await fetch(new URL(`/api/v1/${what}`, this.url)).catch(() => undefined);
    return answer?.ok ? ((await answer.json()) as { readonly data?: unknown }).data : undefined;
  }

  /** The value of an expression that has one. Undefined without it. */
  async value(expression: string): Promise<number | undefined> {
    const answer = await this.ask(`query?query=${encodeURIComponent(expression)}`);
    const [found] = (answer as { readonly result?: { readonly value: [number, string] }[] } | undefined)?.result ?? [];
    return found && Number(found.value[1]);
  }

  /** The rules that it evaluates. `health` is `err` for one that it cannot. */
  async rules(): Promise<readonly { readonly name: string; readonly health: string }[]> {
    const answer = await this.ask('rules');
    const { groups = [] } = (answer ?? {}) as {
      readonly groups?: readonly { readonly rules: readonly { readonly name: string; readonly health: string }[] }[];
    };
    return groups.flatMap((group) => group.rules);
  }

  /** The alerts that fire. Those that are pending are left out. */
  async firing(): Promise<readonly AlertLabels[]> {
    const answer = await this.ask('alerts');
    const { alerts = [] } = (answer ?? {}) as {
      readonly alerts?: readonly { readonly state: string; readonly labels: AlertLabels }[];
    };
    return alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels);
  }

  stop(): Promise<void> {
    return this.process.dispose();
  }
}

/** A Prometheus that scrapes some pods every second, and gives them the labels that the operator looks for. */
export async function startPrometheus(program: string, { rules, others, ...targets }: Scraped): Promise<Prometheus> {
  const folder = await mkdtemp(join(tmpdir(), 'prometheus-'));
  const config = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    scrape_configs: [
      {
        job_name: 'pods',
        honor_labels: true,
        static_configs: [targets, ...(others ? [others] : [])].flatMap(labelled),
      },
    ],
    ...(rules !== undefined && { rule_files: ['rules.yaml'] }),
  };
  await writeFile(join(folder, 'config.yaml'), stringifyYaml(config));
  if (rules !== undefined) await writeFile(join(folder, 'rules.yaml'), rules);
  const at = `127.0.0.1:${await freePort()}`;
  const flags = ['--config.file=config.yaml', '--storage.tsdb.path=data', `--web.listen-address=${at}`];
  const prometheus = new GuardedProcess({ name: 'prometheus', command: [program, ...flags], folder });
  return new Prometheus(new URL(`http://${at}`), prometheus);
}

function labelled({ pods, port, namespace }: Targets) {
  return pods.map(({ address, name }) => ({ targets: [`${address}:${port}`], labels: { namespace, pod: name } }));
}
