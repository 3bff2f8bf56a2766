import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { goPlatform } from '../../../../operator/testing/binaries/executables.js';
import { assetsFolder, setupEnvtest, userCache } from '../../../../operator/testing/binaries/find-binaries.js';
import { givenBuiltProgram, givenFolder, givenPrograms, givenSearch } from './given-binaries.js';

const essential = ['etcd', 'kube-apiserver', 'kubectl'] as const;

describe('KUBEBUILDER_ASSETS', () => {
  it('gives the programs in the folder that it names', async () => {
    const folder = await givenFolder();
    await givenPrograms(folder, essential);
    const finding = await assetsFolder.find({ ...(await givenSearch()), env: { KUBEBUILDER_ASSETS: folder } });
    expect(finding).toEqual({
      binaries: {
        etcd: [`${folder}/etcd`],
        'kube-apiserver': [`${folder}/kube-apiserver`],
        kubectl: [`${folder}/kubectl`],
      },
    });
  });

  it('names the files of its folder that are missing or not executable', async () => {
    const folder = await givenFolder();
    await givenPrograms(folder, essential);
    await chmod(join(folder, 'etcd'), 0o644);
    const search = { ...(await givenSearch()), env: { KUBEBUILDER_ASSETS: folder } };
    const finding = await assetsFolder.find({ ...search, needs: [...essential, 'kube-scheduler'] });
    expect(finding).toEqual({ absent: `no etcd, kube-scheduler in ${folder}` });
  });

  it('says when it is not set', async () => {
    expect(await assetsFolder.find(await givenSearch())).toEqual({ absent: 'the environment variable is not set' });
  });
});

describe("setup-envtest's folder", () => {
  it('gives the newest version that is complete, by number, for this platform', async () => {
    const search = await givenSearch();
    const store = join(search.home, 'data', 'kubebuilder-envtest', 'k8s');
    await givenPrograms(join(store, `1.9.0-${goPlatform}`), essential);
    await givenPrograms(join(store, `1.10.0-${goPlatform}`), essential);
    await givenPrograms(join(store, `1.11.0-${goPlatform}`), ['etcd']);
    await givenPrograms(join(store, '1.12.0-plan9-mips'), essential);
    const etcd = [join(store, `1.10.0-${goPlatform}`, 'etcd')];
    expect(await setupEnvtest.find(search)).toMatchObject({ binaries: { etcd } });
  });

  it('says where it has looked', async () => {
    const search = await givenSearch();
    const store = join(search.home, 'data', 'kubebuilder-envtest', 'k8s');
    expect(await setupEnvtest.find(search)).toEqual({ absent: `no version for ${goPlatform} in ${store}` });
  });
});

describe("the user's cache", () => {
  it('gives all components of the program that was built', async () => {
    const search = await givenSearch();
    const program = await givenBuiltProgram(search);
    const finding = await userCache.find({
      ...search,
      needs: [...essential, 'kube-controller-manager', 'kube-scheduler'],
    });
    expect(finding).toMatchObject({
      binaries: { etcd: [program, 'etcd'], 'kube-scheduler': [program, 'kube-scheduler'] },
    });
  });

  it('names the program after the version of Kubernetes and the sources', async () => {
    const program = await givenBuiltProgram(await givenSearch());
    expect(program).toMatch(
      new RegExp(`/cache/cdk8s-reconstruct/kubernetes/v1\\.\\d+\\.\\d+-${goPlatform}-[0-9a-f]{12}/kubernetes$`),
    );
  });
});
