import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { App, Chart } from 'cdk8s';
import { kinds, toCustomResourceDefinition } from '../crds/index.js';
import { controllers, systems } from '../operator/controllers/index.js';
import { stringifyYaml } from '../operator/yaml/stringify-yaml.js';
import {
  Algorithm,
  ApiInstall,
  GatewayInstall,
  gatewayApiCrds,
  KubeAlgorithm,
  KubeObject,
  OperatorInstall,
} from '../src/index.js';
import { chartFiles } from './chart/chart-files.js';
import { ownPackage } from './files/own-package.js';

/** The objects that install the operator. The CRDs come first, because `kubectl apply -f` reads files in order. */
function install(outdir?: string): App {
  const app = new App({ outdir });
  const crds = new Chart(app, 'crds');
  new ApiInstall(crds, 'api', { crds: kinds.map(toCustomResourceDefinition) });
  const operator = new Chart(app, 'operator');
  operator.addDependency(crds);
  new OperatorInstall(operator, 'operator', { controllers, installApi: false });
  return app;
}

/** The same objects as a base of kustomize, which refuses files outside of its folder. */
function kustomize(outdir: string): void {
  const folder = join(outdir, 'kustomize');
  install(folder).synth();
  const resources = readdirSync(folder)
    .filter((file) => file.endsWith('.k8s.yaml'))
    .sort();
  const kustomization = { apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization', resources };
  writeFileSync(join(folder, 'kustomization.yaml'), stringifyYaml(kustomization));
}

/** The Gateway class, in a folder of its own, because clusters with a Gateway controller do not need it. */
function gateway(outdir: string): App {
  const app = new App({ outdir: join(outdir, 'gateway') });
  const definitions = new Chart(app, 'definitions');
  for (const crd of gatewayApiCrds()) new KubeObject(definitions, crd.metadata.name, crd);
  const proxies = new Chart(app, 'class');
  proxies.addDependency(definitions);
  new GatewayInstall(proxies, 'class');
  return app;
}

/** Examples, in a folder of their own, because one `kubectl apply` cannot contain a resource and its CRD. */
function examples(outdir: string): App {
  const app = new App({ outdir: join(outdir, 'examples') });
  const spec = {
    image: 'registry.alien6.io/algo/reco:2.1.4',
    replicas: 3,
    resources: { gpu: 'nvidia.com/gpu', gpuCount: 2 },
    scaling: { minReplicas: 1, maxReplicas: 10, targetLatencyMs: 50 },
    lifecycle: { canaryWeight: 20, successThreshold: 0.99, rollbackOnDrift: true },
  };
  new KubeAlgorithm(new Chart(app, 'resource'), 'resource', { metadata: { name: 'recommendation-engine-v2' }, spec });
  new Algorithm(new Chart(app, 'construct'), 'recommendation-engine-v2', spec);
  return app;
}

/** The Helm chart, in a folder of its own, because its files are templates. */
function writeChart(outdir: string): void {
  for (const [path, text] of chartFiles(systems, ownPackage().version)) {
    const file = join(outdir, 'chart', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

const app = install();
app.synth();
kustomize(app.outdir);
gateway(app.outdir).synth();
examples(app.outdir).synth();
writeChart(app.outdir);
