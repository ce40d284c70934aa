{{- define "eldr.routerEnv" -}}
- name: POD_IP
  valueFrom:
    fieldRef: {fieldPath: status.podIP}
# Where the other routers reach this one.
- name: ELDR_ROUTER_URL
  value: {{ include "eldr.scheme" . }}://{{ ternary "[$(POD_IP)]" "$(POD_IP)" .Values.router.ipv6 }}:8080
{{- end }}
{{- define "eldr.routerVolumes" -}}
- name: last-good
  {{- toYaml .Values.router.lastGoodVolume | nindent 2 }}
{{- end }}
{{- define "eldr.routerMounts" -}}
- name: last-good
  mountPath: /var/lib/eldr
{{- end }}
{{- define "eldr.roleName" -}}
{{ .Release.Namespace }}-{{ include "eldr.fullname" . }}-router
{{- end }}
