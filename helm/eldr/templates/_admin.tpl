{{- define "eldr.adminVolumes" -}}
{{- if not .Values.adminUi.oidc.issuer }}
- name: users
  secret:
    secretName: {{ include "eldr.usersSecret" . }}
    defaultMode: 0440
    items:
      - {key: users, path: users}
{{- end }}
{{- end }}
{{- define "eldr.adminMounts" -}}
{{- if not .Values.adminUi.oidc.issuer }}
- name: users
  mountPath: /etc/eldr/users
  readOnly: true
{{- end }}
{{- end }}

{{- define "eldr.adminSecrets" -}}
- secret:
    name: {{ include "eldr.tokensSecret" . }}
    items:
      - {key: ui-token, path: eldr.admin.token}
{{- if .Values.adminUi.oidc.issuer }}
- secret:
    name: {{ .Values.adminUi.oidc.existingSecret }}
    items:
      - {key: {{ .Values.adminUi.oidc.clientSecretKey | quote }}, path: spring.security.oauth2.client.registration.oidc.client-secret}
{{- end }}
{{- end }}

{{- define "eldr.adminConfig" -}}
{{- $path := .Values.adminUi.path | trimSuffix "/" -}}
eldr:
  admin:
    calibration-url: {{ include "eldr.scheme" . }}://{{ include "eldr.fullname" . }}-calibration:{{ .Values.calibration.service.port }}
    users:
      enabled: {{ empty .Values.adminUi.oidc.issuer }}
      file: /etc/eldr/users/users
    {{- if .Values.tls.secretName }}
    calls:
      ssl-bundle: eldr
    {{- end }}
    {{- if .Values.adminUi.oidc.issuer }}
    oidc:
      roles-claim: {{ .Values.adminUi.oidc.rolesClaim | quote }}
      {{- with .Values.adminUi.oidc.roles }}
      roles:
        {{- toYaml . | nindent 8 }}
      {{- end }}
    {{- end }}
server:
  # Addresses in redirects are those that the browser used.
  forward-headers-strategy: framework
  {{- with $path }}
  servlet:
    context-path: {{ . }}
  {{- end }}
{{- with .Values.adminUi.oidc }}
{{- if .issuer }}
spring:
  security:
    oauth2:
      client:
        provider:
          oidc:
            issuer-uri: {{ .issuer | quote }}
        registration:
          oidc:
            client-id: {{ .clientId | quote }}
            scope: [openid, profile]
{{- end }}
{{- end }}
{{- end }}

{{- define "eldr.firstUsers" -}}
# name role bcrypt-hash
admin admin {{ bcrypt . }}
{{- end }}
