{{- /* Where Postgres is. */ -}}
{{- define "eldr.jdbcUrl" -}}
{{- $p := .Values.postgres -}}
{{- if eq $p.mode "external" -}}
jdbc:postgresql://{{ if contains ":" $p.host }}[{{ $p.host }}]{{ else }}{{ $p.host }}{{ end }}:{{ $p.port }}/{{ $p.database }}?sslmode={{ $p.sslMode }}
{{- if $p.caSecret }}&sslrootcert=/etc/eldr/postgres-ca/ca.crt{{ end -}}
{{- else -}}
jdbc:postgresql://{{ include "eldr.fullname" . }}-postgres:5432/{{ $p.database }}?sslmode=disable
{{- end -}}
{{- end -}}

{{- /* What every service is told. Takes (dict root values port managementPort). */ -}}
{{- define "eldr.commonConfig" -}}
server:
  port: {{ .port }}
  {{- if .root.Values.tls.secretName }}
  ssl:
    bundle: eldr
  {{- end }}
management:
  server:
    port: {{ .managementPort }}
    {{- if .root.Values.tls.secretName }}
    ssl:
      bundle: eldr
    {{- end }}
spring:
  config:
    # Each file is a property by its name.
    import: configtree:/etc/eldr/secrets/
  lifecycle:
    timeout-per-shutdown-phase: {{ .values.drainSeconds }}s
  {{- if .root.Values.tls.secretName }}
  ssl:
    bundle:
      pem:
        eldr:
          reload-on-update: true
          keystore:
            certificate: file:/etc/eldr/tls/tls.crt
            private-key: file:/etc/eldr/tls/tls.key
          truststore:
            certificate: file:/etc/eldr/tls/ca.crt
  {{- end }}
{{- end -}}

{{- define "eldr.databaseConfig" -}}
spring:
  datasource:
    url: {{ include "eldr.jdbcUrl" . }}
{{- end -}}

{{- /* Who may call. Digests stand in files below /etc/eldr/secrets. */ -}}
{{- define "eldr.accessConfig" -}}
eldr:
  access:
    tokens:
      - name: admin
        role: admin
        sha256: ${tokens.admin}
      - name: router
        role: client
        sha256: ${tokens.router}
      - name: admin-ui
        role: admin
        sha256: ${tokens.ui}
        service: true
      {{- range $i, $token := .Values.auth.tokens }}
      - name: {{ $token.name }}
        role: {{ $token.role }}
        sha256: {{ if $token.sha256 }}{{ $token.sha256 | quote }}{{ else }}{{ printf "${tokens.extra-%d}" $i }}{{ end }}
      {{- end }}
    {{- with .Values.auth.oidc }}
    {{- if .issuer }}
    oidc:
      issuer-uri: {{ .issuer | quote }}
      {{- with .jwkSetUri }}
      jwk-set-uri: {{ . | quote }}
      {{- end }}
      audiences: {{ toJson .audiences }}
      roles-claim: {{ .rolesClaim | quote }}
      {{- with .roles }}
      roles:
        {{- toYaml . | nindent 8 }}
      {{- end }}
    {{- end }}
    {{- end }}
{{- end -}}

{{- define "eldr.routerConfig" -}}
{{- $root := . -}}
eldr:
  router:
    data-dir: /var/lib/eldr
    calibration:
      url: {{ include "eldr.scheme" . }}://{{ include "eldr.fullname" . }}-calibration:{{ .Values.calibration.service.port }}
      {{- if .Values.tls.secretName }}
      ssl-bundle: eldr
      {{- end }}
    {{- if .Values.tls.secretName }}
    replicas:
      ssl-bundle: eldr
    {{- end }}
    kubernetes:
      pools:
        {{- $found := list }}
        {{- range $pool := .Values.pools }}
        {{- range $role := list "decode" "prefill" }}
        {{- with index $pool $role }}
        {{- if or .service .selector }}
        {{- $found = append $found $role }}
        - pool: {{ $pool.name }}
          role: {{ $role }}
          namespace: {{ .namespace | default $root.Release.Namespace }}
          selector: {{ .selector | default (printf "kubernetes.io/service-name=%s" .service) | quote }}
          {{- with .port }}
          port: {{ . }}
          {{- end }}
          {{- with .portName }}
          port-name: {{ . }}
          {{- end }}
          probe: {{ .probe | default "http" }}
        {{- end }}
        {{- end }}
        {{- end }}
        {{- end }}
        {{- if not $found }} []{{ end }}
{{- end -}}

{{- /* The pools that are made at the start, with the workers that have fixed URLs. */ -}}
{{- define "eldr.calibrationConfig" -}}
eldr:
  calibration:
    pools:
      {{- range $pool := .Values.pools }}
      - name: {{ $pool.name }}
        model: {{ $pool.model | quote }}
        layers: {{ $pool.layers }}
        experts: {{ $pool.experts }}
        top-k: {{ $pool.topK }}
        {{- with $pool.revision }}
        revision: {{ . | quote }}
        {{- end }}
        {{- with $pool.aliases }}
        aliases: {{ toJson . }}
        {{- end }}
        {{- with $pool.dialect }}
        dialect: {{ . }}
        {{- end }}
        {{- with $pool.engineModel }}
        engine-model: {{ . | quote }}
        {{- end }}
        {{- with $pool.adapters }}
        adapters: {{ toJson . }}
        {{- end }}
        {{- with $pool.policy }}
        policy: {{ . }}
        {{- end }}
        workers:
          {{- $found := false }}
          {{- range $role := list "decode" "prefill" }}
          {{- with index $pool $role }}
          {{- $probe := .probe | default "http" }}
          {{- range $slot, $url := .urls }}
          {{- $found = true }}
          - slot: {{ $slot | quote }}
            role: {{ $role }}
            url: {{ $url | quote }}
            probe: {{ $probe }}
          {{- end }}
          {{- end }}
          {{- end }}
          {{- if not $found }} []{{ end }}
      {{- end }}
      {{- if not .Values.pools }} []{{ end }}
{{- end -}}

{{- /* Whether routers look for workers in Kubernetes. */ -}}
{{- define "eldr.discovers" -}}
{{- range .Values.pools -}}
{{- range (list .decode .prefill) -}}
{{- with . }}{{ if or .service .selector }}yes{{ end }}{{ end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- /* The namespaces they look in. */ -}}
{{- define "eldr.discoveryNamespaces" -}}
{{- $root := . -}}
{{- $names := list -}}
{{- range .Values.pools -}}
{{- range (list .decode .prefill) -}}
{{- with . -}}
{{- if or .service .selector -}}{{- $names = append $names (.namespace | default $root.Release.Namespace) -}}{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $names | uniq | sortAlpha | toJson -}}
{{- end -}}

{{- /* The whole configuration of a component, with what the values add to it, as YAML. */ -}}
{{- define "eldr.config.router" -}}
{{- $config := fromYaml (include "eldr.commonConfig" (dict "root" . "values" .Values.router "port" 8080 "managementPort" 9080)) -}}
{{- $config = mergeOverwrite $config (fromYaml (include "eldr.databaseConfig" .)) (fromYaml (include "eldr.accessConfig" .)) (fromYaml (include "eldr.routerConfig" .)) (deepCopy .Values.router.config) -}}
{{- toYaml $config -}}
{{- end -}}

{{- define "eldr.config.calibration" -}}
{{- $config := fromYaml (include "eldr.commonConfig" (dict "root" . "values" .Values.calibration "port" 8081 "managementPort" 9081)) -}}
{{- $config = mergeOverwrite $config (fromYaml (include "eldr.databaseConfig" .)) (fromYaml (include "eldr.accessConfig" .)) (fromYaml (include "eldr.calibrationConfig" .)) (deepCopy .Values.calibration.config) -}}
{{- toYaml $config -}}
{{- end -}}

{{- define "eldr.config.admin-ui" -}}
{{- $config := fromYaml (include "eldr.commonConfig" (dict "root" . "values" .Values.adminUi "port" 8082 "managementPort" 9082)) -}}
{{- $config = mergeOverwrite $config (fromYaml (include "eldr.adminConfig" .)) (deepCopy .Values.adminUi.config) -}}
{{- toYaml $config -}}
{{- end -}}
