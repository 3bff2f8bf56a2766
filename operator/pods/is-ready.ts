interface Reporting {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] | undefined };
}

/** True if a Pod or a node reports that it is ready. */
export function isReady({ status }: Reporting): boolean {
  return status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false;
}
