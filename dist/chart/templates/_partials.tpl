{{- /* Name and version of the chart, as a label. */ -}}
{{- define "reconstruct.chart" -}}
{{- printf "%s-%s" $.Chart.Name $.Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- /* Names of the controllers of the chosen systems, separated by commas. */ -}}
{{- define "reconstruct.controllers" -}}
{{- $names := list }}
{{- if $.Values.systems.algorithm }}{{ $names = append $names "algorithm,trial,level,gateway" }}{{ end }}
{{- if $.Values.systems.database }}{{ $names = append $names "database,backups,databasebackup" }}{{ end }}
{{- if $.Values.systems.rotation }}{{ $names = append $names "secretrotation" }}{{ end }}
{{- if $.Values.systems.certificates }}{{ $names = append $names "issuer,clusterissuer,certificate,certificate-challenges,trustbundle,ingress-certificates,gateway-certificates" }}{{ end }}
{{- if $.Values.systems.kafka }}{{ $names = append $names "kafkacluster,kafkatopic,kafkauser" }}{{ end }}
{{- if $.Values.systems.training }}{{ $names = append $names "trainingjob" }}{{ end }}
{{- if $.Values.systems.publication }}{{ $names = append $names "servicepublication,service-publications,httproute-publications" }}{{ end }}
{{- if $.Values.systems.leader }}{{ $names = append $names "leaderelection" }}{{ end }}
{{- if $.Values.systems.spark }}{{ $names = append $names "sparkjob" }}{{ end }}
{{- join "," $names }}
{{- end }}
