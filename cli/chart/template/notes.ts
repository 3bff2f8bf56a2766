/** The text that Helm prints after an installation or an upgrade. */
export const notes = `The operator {{ $.Values.name }} starts in the namespace {{ $.Release.Namespace }}.

1. Wait for it:

   kubectl --namespace {{ $.Release.Namespace }} rollout status deployment/{{ $.Values.name }}

2. Check the installation:

   reconstruct check --namespace {{ $.Release.Namespace }} --name {{ $.Values.name }}

3. Create a resource of one of its kinds:

   kubectl api-resources --categories=reconstruct
{{- if not $.Values.crds.install }}

The release has no CRDs. Install those of version {{ $.Chart.AppVersion }} before the operator.
{{- end }}
{{- if $.Values.metricsTlsSecret }}

To read the metrics, a client needs the ClusterRole {{ $.Values.name }}-metrics-reader.
{{- end }}

CRDs stay when you uninstall the release. Delete the resources before that, while the operator runs.
`;
