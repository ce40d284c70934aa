{{- /* A peer: the pods of a component of this release. */ -}}
{{- define "eldr.peer" -}}
- podSelector:
    matchLabels:
      {{- include "eldr.selector" . | nindent 6 }}
{{- end -}}
{{- define "eldr.policyHead" -}}
{{- $root := index . 0 -}}
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: {{ include "eldr.fullname" $root }}-{{ index . 1 }}
  namespace: {{ $root.Release.Namespace }}
  labels:
    {{- include "eldr.labels" . | nindent 4 }}
{{- end -}}
{{- define "eldr.scraping" -}}
- ports:
    - {port: management, protocol: TCP}
  from:
    {{- toYaml .Values.networkPolicy.monitoring | nindent 4 }}
{{- end -}}
