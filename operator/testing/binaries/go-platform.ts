const goNames: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386' };

/** This machine as Go, and so Kubernetes, names it: `linux-amd64`, `darwin-arm64`. */
export const goPlatform = `${process.platform}-${goNames[process.arch] ?? process.arch}`;
