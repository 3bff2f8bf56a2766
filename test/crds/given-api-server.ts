import { readFile } from 'node:fs/promises';
import { Agent, request } from 'undici';
import { type Kind, toCustomResourceDefinition } from '../../crds/index.js';
import { parseYaml } from '../../operator/yaml/parse-yaml.js';

/** An answer of the API server: the object, or why not. */
export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>> & {
    readonly message?: string;
    readonly metadata?: unknown;
    readonly spec?: unknown;
  };
}

/** The real API server, as far as the tests of schemas need it. */
export class ApiServer {
  readonly #url: string;
  readonly #agent: Agent;

  private constructor(url: string, tls: { readonly ca: Buffer; readonly cert: Buffer; readonly key: Buffer }) {
    this.#url = url;
    this.#agent = new Agent({ connect: tls });
  }

  static async at(kubeconfig: string): Promise<ApiServer> {
    const { clusters, users } = parseYaml(await readFile(kubeconfig, 'utf8'));
    const { server, 'certificate-authority-data': ca } = clusters[0].cluster;
    const { 'client-certificate-data': cert, 'client-key-data': key } = users[0].user;
    const decoded = (data: string) => Buffer.from(data, 'base64');
    return new ApiServer(server, { ca: decoded(ca), cert: decoded(cert), key: decoded(key) });
  }

  /** What the server would store, or why it would not. */
  async tried(kind: Kind, resource: object): Promise<Answer> {
    return this.#call('POST', `${collection(kind)}?dryRun=All&fieldValidation=Strict`, {
      ...typeOf(kind),
      ...resource,
    });
  }

  async create(kind: Kind, resource: object): Promise<Answer> {
    return this.#call('POST', collection(kind), { ...typeOf(kind), ...resource });
  }

  /** Whether the stored resource may get this spec. */
  async triedUpdate(kind: Kind, name: string, spec: object): Promise<Answer> {
    const path = `${collection(kind)}/${name}`;
    const { metadata } = (await this.#call('GET', path)).body;
    return this.#call('PUT', `${path}?dryRun=All`, { ...typeOf(kind), metadata, spec });
  }

  async remove(kind: Kind, name: string): Promise<Answer> {
    return this.#call('DELETE', `${collection(kind)}/${name}`);
  }

  /** A server-side apply of a spec. */
  async applySpec(kind: Kind, name: string, manager: string, spec: object): Promise<Answer> {
    const body = JSON.stringify({ ...typeOf(kind), metadata: { name }, spec });
    return this.#call('PATCH', `${collection(kind)}/${name}?fieldManager=${manager}`, body);
  }

  /** A server-side apply of a status. */
  async applyStatus(kind: Kind, name: string, manager: string, status: object): Promise<Answer> {
    const body = JSON.stringify({ ...typeOf(kind), metadata: { name }, status });
    return this.#call('PATCH', `${collection(kind)}/${name}/status?fieldManager=${manager}`, body);
  }

  /** Whether the server would take the kind's CustomResourceDefinition. */
  async triedKind(kind: Kind): Promise<Answer> {
    return this.#call('POST', `${CRDS}?dryRun=All&fieldValidation=Strict`, toCustomResourceDefinition(kind));
  }

  /** The kind, served. */
  async serve(kind: Kind): Promise<void> {
    const crd = JSON.stringify(toCustomResourceDefinition(kind));
    const applied = await this.#call('PATCH', `${CRDS}/${kind.name}?fieldManager=test&force=true`, crd);
    if (applied.status >= 300) throw new Error(applied.body.message);
    while ((await this.#call('GET', collection(kind))).status !== 200)
      await new Promise((done) => setTimeout(done, 50));
  }

  async drop(kind: Kind): Promise<void> {
    await this.#call('DELETE', `${CRDS}/${kind.name}`);
  }

  async close(): Promise<void> {
    await this.#agent.close();
  }

  async #call(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: object | string,
  ): Promise<Answer> {
    const type = method === 'PATCH' ? 'application/apply-patch+yaml' : 'application/json';
    const response = await request(this.#url + path, {
      method,
      dispatcher: this.#agent,
      headers: { 'content-type': type },
      body: body === undefined || typeof body === 'string' ? (body ?? null) : JSON.stringify(body),
    });
    // A path that is not served yet is answered with a plain text.
    const text = await response.body.text();
    return { status: response.statusCode, body: text.startsWith('{') ? JSON.parse(text) : { message: text } };
  }
}

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

function collection(kind: Kind): string {
  const namespace = kind.scope === 'Namespaced' ? '/namespaces/default' : '';
  return `/apis/${kind.group}/${storedVersion(kind)}${namespace}/${kind.plural}`;
}

function typeOf(kind: Kind) {
  return { apiVersion: `${kind.group}/${storedVersion(kind)}`, kind: kind.kind };
}

function storedVersion(kind: Kind): string | undefined {
  return kind.versions.find(({ storage }) => storage)?.name;
}
