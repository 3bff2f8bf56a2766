import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findBinaries } from '../../../../operator/testing/binaries/find-binaries.js';
import { goBuild } from '../../../../operator/testing/binaries/go-build.js';
import { kubernetesModule } from '../../../../operator/testing/binaries/kubernetes-module.js';
import { givenBuiltProgram, givenPrograms, givenSearch } from './given-binaries.js';

const essential = ['etcd', 'kube-apiserver', 'kubectl'];

/** A machine with the essential programs in KUBEBUILDER_ASSETS. */
async function givenAssets() {
  const search = await givenSearch();
  const folder = join(search.home, 'assets');
  await givenPrograms(folder, essential);
  return {
    search,
    folder,
    options: { ...search, scheduler: false, env: { ...search.env, KUBEBUILDER_ASSETS: folder } },
  };
}

describe('the binaries of a control plane', () => {
  it('come from the first place that has all of them', async () => {
    const { search, options } = await givenAssets();
    const program = await givenBuiltProgram(search);
    expect(await findBinaries({ ...options, controllerManager: 'required' })).toMatchObject({
      etcd: [program, 'etcd'],
    });
  });

  it('come from an earlier place, if that lacks only a controller manager that is not wanted', async () => {
    const { search, folder, options } = await givenAssets();
    await givenBuiltProgram(search);
    expect(await findBinaries({ ...options, controllerManager: 'none' })).toMatchObject({
      etcd: [join(folder, 'etcd')],
    });
  });

  it('come with a controller manager that is preferred, where one is at hand', async () => {
    const { search, options } = await givenAssets();
    const program = await givenBuiltProgram(search);
    expect(await findBinaries({ ...options, controllerManager: 'preferred' })).toMatchObject({
      etcd: [program, 'etcd'],
    });
    expect(search.said).toEqual([]);
  });

  it('come without one that is preferred, where none is at hand, and the search tells what that costs', async () => {
    const { search, folder, options } = await givenAssets();
    expect(await findBinaries({ ...options, controllerManager: 'preferred' })).toMatchObject({
      etcd: [join(folder, 'etcd')],
    });
    expect(search.said).toEqual([expect.stringContaining('kube-controller-manager not found: garbage collection')]);
  });

  it('are not found on a machine with nothing, and the error names every place and its reason', async () => {
    const search = await givenSearch();
    const found = findBinaries({ ...search, controllerManager: 'none', scheduler: false });
    const reasons = [
      'KUBEBUILDER_ASSETS: the environment variable is not set',
      'setup-envtest: no version for ',
      "the user's cache: no ",
      "envtest's published archive: http://127.0.0.1:65535/index.yaml: fetch failed",
      'a build with Go: the command go cannot be started (Error: spawn go ENOENT); install Go',
    ];
    await expect(found).rejects.toThrow(/^control plane binaries not found \(etcd, kube-apiserver, kubectl\)/);
    for (const reason of reasons) await expect(found).rejects.toThrow(reason);
  });
});

describe('a build with Go', () => {
  // Stands for the compiler: it lists four packages, and names those that it compiles.
  const compiler = `#!/bin/sh
[ "$1" = list ] && { echo a; echo b; echo c; echo d; exit; }
while [ "$1" != -o ]; do shift; done
for package in a b c d; do echo $package >&2; done
echo "built with CGO_ENABLED=$CGO_ENABLED" >"$2"; /bin/chmod +x "$2"
`;

  it('leaves one program in the cache, and tells its progress', async () => {
    const search = await givenSearch();
    await givenPrograms(join(search.home, 'bin'), ['go'], compiler);
    const { program, version } = await kubernetesModule(search.env);
    expect(await goBuild.find(search)).toMatchObject({ binaries: { 'kube-scheduler': [program, 'kube-scheduler'] } });
    expect(await readFile(program, 'utf8')).toBe('built with CGO_ENABLED=0\n');
    expect(search.said).toEqual([
      `building Kubernetes ${version} once, which takes about 5 minutes on 2 cores: ${program}`,
      ...[1, 2, 3, 4].map((count) => `compiled ${count} of at most 4 packages`),
    ]);
  });

  it('that fails has the last output of Go', async () => {
    const search = await givenSearch();
    await givenPrograms(join(search.home, 'bin'), ['go'], '#!/bin/sh\necho go: no network >&2\nexit 1\n');
    expect(await goBuild.find(search)).toEqual({ absent: 'go list exited with code 1:\ngo: no network' });
  });
});
