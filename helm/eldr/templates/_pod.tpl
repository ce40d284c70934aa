{{- define "eldr.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "eldr.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{- /* The files that are secrets, each a property by its name. Takes (dict root component). */ -}}
{{- define "eldr.secretsVolume" -}}
- name: secrets
  projected:
    defaultMode: 0440
    sources:
      {{- if ne .component "admin-ui" }}
      - secret:
          name: {{ include "eldr.postgresSecret" .root }}
          items:
            - {key: {{ .root.Values.postgres.usernameKey | quote }}, path: spring.datasource.username}
            - {key: {{ .root.Values.postgres.passwordKey | quote }}, path: spring.datasource.password}
      {{- end }}
      {{- if has .component (list "router" "calibration") }}
      - secret:
          name: {{ include "eldr.tokensSecret" .root }}
          items:
            - {key: admin-token-sha256, path: tokens.admin}
            - {key: router-token-sha256, path: tokens.router}
            - {key: ui-token-sha256, path: tokens.ui}
            {{- if eq .component "router" }}
            - {key: router-token, path: eldr.router.calibration.token}
            {{- end }}
      {{- range $i, $token := .root.Values.auth.tokens }}
      {{- if $token.secretName }}
      - secret:
          name: {{ $token.secretName }}
          items:
            - {key: {{ $token.secretKey | quote }}, path: tokens.extra-{{ $i }}}
      {{- end }}
      {{- end }}
      {{- end }}
      {{- if eq .component "admin-ui" }}
      {{- include "eldr.adminSecrets" .root | nindent 6 }}
      {{- end }}
{{- with .root.Values.postgres.caSecret }}
{{- if ne $.component "admin-ui" }}
- name: postgres-ca
  secret:
    secretName: {{ . }}
    items:
      - {key: ca.crt, path: ca.crt}
{{- end }}
{{- end }}
{{- end -}}

{{- /* Takes (dict root component). */ -}}
{{- define "eldr.secretsMounts" -}}
- name: secrets
  mountPath: /etc/eldr/secrets
  readOnly: true
{{- if and .root.Values.postgres.caSecret (ne .component "admin-ui") }}
- name: postgres-ca
  mountPath: /etc/eldr/postgres-ca
  readOnly: true
{{- end }}
{{- end -}}

{{- /* What the commands that know the schema are told of the database. */ -}}
{{- define "eldr.schemaEnv" -}}
- name: SPRING_DATASOURCE_URL
  value: {{ include "eldr.jdbcUrl" . | quote }}
- name: SPRING_CONFIG_IMPORT
  value: configtree:/etc/eldr/secrets/
- name: ELDR_CALIBRATION_SCHEMA_PATIENCE
  value: {{ .Values.migration.timeoutSeconds }}s
{{- end -}}

{{- /* Waits until the Job has brought the schema up. Takes (dict root component). */ -}}
{{- define "eldr.awaitSchema" -}}
- name: await-schema
  image: {{ include "eldr.image" (list .root .root.Values.calibration.image) }}
  imagePullPolicy: {{ .root.Values.image.pullPolicy }}
  args:
    - await-schema
    {{- if eq .component "router" }}
    # With a last good state a router starts without Postgres.
    - --unless-file=/var/lib/eldr/last-good.eldr
    {{- end }}
  env:
    {{- include "eldr.schemaEnv" .root | nindent 4 }}
  securityContext:
    {{- include "eldr.containerSecurity" .root | nindent 4 }}
  resources:
    {{- toYaml .root.Values.migration.resources | nindent 4 }}
  volumeMounts:
    - name: tmp
      mountPath: /tmp
    {{- if eq .component "router" }}
    - name: last-good
      mountPath: /var/lib/eldr
      readOnly: true
    {{- end }}
    {{- include "eldr.secretsMounts" . | nindent 4 }}
{{- end -}}

{{- /*
A service's pod. Takes (dict root component values port managementPort env volumes mounts initContainers token).
*/ -}}
{{- define "eldr.servicePod" -}}
{{- $root := .root -}}
{{- $values := .values -}}
metadata:
  labels:
    {{- include "eldr.podLabels" (list $root .component $values.podLabels) | nindent 4 }}
  annotations:
    # Another configuration is another pod.
    checksum/config: {{ include (printf "eldr.config.%s" .component) $root | sha256sum }}
    {{- with $values.podAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  serviceAccountName: {{ include "eldr.serviceAccount" (list $root .component $values) }}
  automountServiceAccountToken: {{ .token | default false }}
  enableServiceLinks: false
  {{- with include "eldr.pullSecrets" $root }}{{ . | nindent 2 }}{{ end }}
  {{- with $values.priorityClassName }}
  priorityClassName: {{ . }}
  {{- end }}
  terminationGracePeriodSeconds: {{ add $values.preStopSeconds $values.drainSeconds 15 }}
  securityContext:
    {{- include "eldr.podSecurity" $root | nindent 4 }}
  {{- with .initContainers }}
  initContainers:
    {{- . | nindent 4 }}
  {{- end }}
  containers:
    - name: {{ .component }}
      image: {{ include "eldr.image" (list $root $values.image) }}
      imagePullPolicy: {{ $root.Values.image.pullPolicy }}
      env:
        - name: SPRING_CONFIG_ADDITIONAL_LOCATION
          value: file:/etc/eldr/config/
        - name: JDK_JAVA_OPTIONS
          value: {{ $values.jvmOptions | quote }}
        {{- with .env }}
        {{- . | nindent 8 }}
        {{- end }}
        {{- with $values.extraEnv }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      ports:
        - name: http
          containerPort: {{ .port }}
        - name: management
          containerPort: {{ .managementPort }}
      startupProbe:
        httpGet: {path: {{ .livePath | default "/livez" }}, port: http, scheme: {{ include "eldr.scheme" $root | upper }}}
        periodSeconds: 1
        timeoutSeconds: 2
        failureThreshold: 120
      livenessProbe:
        httpGet: {path: {{ .livePath | default "/livez" }}, port: http, scheme: {{ include "eldr.scheme" $root | upper }}}
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      readinessProbe:
        httpGet: {path: {{ .readyPath | default "/readyz" }}, port: http, scheme: {{ include "eldr.scheme" $root | upper }}}
        periodSeconds: 2
        timeoutSeconds: 2
        failureThreshold: 3
      lifecycle:
        preStop:
          sleep:
            seconds: {{ $values.preStopSeconds }}
      securityContext:
        {{- include "eldr.containerSecurity" $root | nindent 8 }}
      resources:
        {{- toYaml $values.resources | nindent 8 }}
      volumeMounts:
        - name: config
          mountPath: /etc/eldr/config
          readOnly: true
        - name: tmp
          mountPath: /tmp
        {{- include "eldr.secretsMounts" . | nindent 8 }}
        {{- if $root.Values.tls.secretName }}
        - name: tls
          mountPath: /etc/eldr/tls
          readOnly: true
        {{- end }}
        {{- with .mounts }}
        {{- . | nindent 8 }}
        {{- end }}
        {{- with $values.extraVolumeMounts }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
  volumes:
    - name: config
      configMap:
        name: {{ include "eldr.fullname" $root }}-{{ .component }}
    - name: tmp
      emptyDir: {}
    {{- include "eldr.secretsVolume" . | nindent 4 }}
    {{- with $root.Values.tls.secretName }}
    - name: tls
      secret:
        secretName: {{ . }}
        defaultMode: 0440
    {{- end }}
    {{- with .volumes }}
    {{- . | nindent 4 }}
    {{- end }}
    {{- with $values.extraVolumes }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- with $values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $values.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  topologySpreadConstraints:
    {{- if $values.topologySpreadConstraints }}
    {{- toYaml $values.topologySpreadConstraints | nindent 4 }}
    {{- else }}
    {{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
    - maxSkew: 1
      topologyKey: {{ . }}
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "eldr.selector" (list $root $.component) | nindent 10 }}
    {{- end }}
    {{- end }}
{{- end -}}

{{- /* ConfigMap, Service, ServiceAccount and PodDisruptionBudget of a service. Takes the same as eldr.servicePod. */ -}}
{{- define "eldr.serviceObjects" -}}
{{- $root := .root -}}
{{- $name := printf "%s-%s" (include "eldr.fullname" $root) .component -}}
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ $name }}
  namespace: {{ $root.Release.Namespace }}
  labels:
    {{- include "eldr.labels" (list $root .component) | nindent 4 }}
data:
  application.yaml: |
    {{- include (printf "eldr.config.%s" .component) $root | nindent 4 }}
---
apiVersion: v1
kind: Service
metadata:
  name: {{ $name }}
  namespace: {{ $root.Release.Namespace }}
  labels:
    {{- include "eldr.labels" (list $root .component) | nindent 4 }}
  {{- with .values.service.annotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  type: {{ .values.service.type }}
  selector:
    {{- include "eldr.selector" (list $root .component) | nindent 4 }}
  ports:
    - name: http
      port: {{ .values.service.port }}
      targetPort: http
      appProtocol: {{ include "eldr.scheme" $root }}
---
{{- if not .values.serviceAccount.name }}
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ $name }}
  namespace: {{ $root.Release.Namespace }}
  labels:
    {{- include "eldr.labels" (list $root .component) | nindent 4 }}
  {{- with .values.serviceAccount.annotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
automountServiceAccountToken: false
---
{{- end }}
{{- if or (gt (int .values.replicas) 1) (and (hasKey .values "autoscaling") (dig "autoscaling" "enabled" false .values)) }}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ $name }}
  namespace: {{ $root.Release.Namespace }}
  labels:
    {{- include "eldr.labels" (list $root .component) | nindent 4 }}
spec:
  maxUnavailable: {{ .values.maxUnavailable }}
  # A pod that does not work must not keep a node from being drained.
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels:
      {{- include "eldr.selector" (list $root .component) | nindent 6 }}
---
{{- end }}
{{- end -}}
