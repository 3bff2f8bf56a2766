import { until } from '../chaos/wait.js';
import { applied, kubectl } from '../e2e/cluster/kubectl.js';
import type { Loose } from '../given.js';
import type { UpgradedKind, UpgradedResource } from './upgraded-kind.js';

/** The annotation whose change is reconciled. */
const annotation = 'upgrade.reconstruct.dev/at';

/** The resources of a system in the cluster. */
export class UpgradedResources {
  #latest = '';

  constructor(
    /** The name of the system. */
    readonly name: string,
    readonly kind: UpgradedKind,
    readonly namespace: string,
  ) {}

  get #resources(): readonly UpgradedResource[] {
    return this.kind.resources(this.namespace);
  }

  async create(): Promise<void> {
    await kubectl(['create', 'namespace', this.namespace]);
    await applied(...(await this.kind.objects(this.namespace)));
  }

  /** Edits each resource without a change that anything must follow. */
  async touch(at: string): Promise<void> {
    for (const one of this.#resources)
      await kubectl([...this.#of(one), 'annotate', one.resource, `${annotation}=${at}`, '--overwrite']);
  }

  /** Resolves when every resource is ready, in its present generation. @param within seconds */
  async untilReady(within: number): Promise<void> {
    const areReady = async () => {
      const reports = await Promise.all(this.#resources.map((one) => this.#missing(one)));
      this.#latest = reports.filter(Boolean).join('; ');
      return this.#latest === '';
    };
    const instead = () => this.#latest;
    await until(areReady, { what: `${this.name} is ready`, within: within * 1_000, every: 2_000, instead });
  }

  /** What a resource lacks, empty if nothing. */
  async #missing(one: UpgradedResource): Promise<string> {
    const found = await kubectl([...this.#of(one), 'get', one.resource, '--output=json']);
    const { metadata, status = {} } = JSON.parse(found) as Loose;
    const { conditions = [], observedGeneration } = status;
    const ready = conditions.find(({ type }: { readonly type: string }) => type === 'Ready');
    if (observedGeneration !== metadata.generation)
      return `${one.resource}: generation ${metadata.generation} is not observed`;
    if (ready?.status !== 'True') return `${one.resource}: ${ready?.reason}: ${ready?.message}`;
    const isReady = this.kind.isReady?.(one.resource, status) ?? true;
    return isReady ? '' : `${one.resource}: ${JSON.stringify({ ...status, conditions: undefined }).slice(0, 300)}`;
  }

  /** Resolves when the deletion was asked for. */
  async delete(): Promise<void> {
    for (const one of this.#resources.toReversed())
      await kubectl([...this.#of(one), 'delete', one.resource, '--wait=false', '--ignore-not-found']);
    const names = this.#resources.filter(({ isNamespaced = true }) => isNamespaced).map(({ resource }) => resource);
    await kubectl(['--namespace', this.namespace, 'wait', '--for=delete', ...names, '--timeout=180s']).catch(
      console.error,
    );
    await kubectl(['delete', 'namespace', this.namespace, '--wait=false']);
  }

  #of({ isNamespaced = true }: UpgradedResource): readonly string[] {
    return isNamespaced ? ['--namespace', this.namespace] : [];
  }
}
