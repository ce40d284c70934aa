{{- /* The name that all objects' names begin with: a DNS label of at most 36 characters that begins with a letter. */ -}}
{{- define "eldr.fullname" -}}
{{- $chart := default .Chart.Name .Values.nameOverride -}}
{{- $name := .Values.fullnameOverride -}}
{{- if not $name -}}
{{- $name = .Release.Name -}}
{{- if not (contains $chart $name) -}}{{- $name = printf "%s-%s" $name $chart -}}{{- end -}}
{{- end -}}
{{- $name = $name | lower | replace "." "-" | replace "_" "-" -}}
{{- if not (regexMatch "^[a-z]" $name) -}}{{- $name = printf "r%s" $name -}}{{- end -}}
{{- if gt (len $name) 36 -}}
{{- /* Two long names that begin alike stay apart. */ -}}
{{- $name = printf "%s-%s" ($name | trunc 27 | trimSuffix "-") ($name | sha256sum | trunc 8) -}}
{{- end -}}
{{- $name | trimSuffix "-" -}}
{{- end -}}

{{- define "eldr.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- /* What selects a component's pods: it never changes. Takes (list root component). */ -}}
{{- define "eldr.selector" -}}
{{- $root := index . 0 -}}
app.kubernetes.io/name: {{ include "eldr.name" $root }}
app.kubernetes.io/instance: {{ $root.Release.Name | quote }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end -}}

{{- /* Takes (list root component). */ -}}
{{- define "eldr.labels" -}}
{{- $root := index . 0 -}}
{{ include "eldr.selector" . }}
app.kubernetes.io/part-of: eldr
app.kubernetes.io/managed-by: {{ $root.Release.Service }}
app.kubernetes.io/version: {{ $root.Chart.AppVersion | quote }}
helm.sh/chart: {{ printf "%s-%s" $root.Chart.Name $root.Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{- with $root.Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- /* The labels of pods: what changes with every version stays out of them. Takes (list root component extra). */ -}}
{{- define "eldr.podLabels" -}}
{{ include "eldr.selector" . }}
app.kubernetes.io/part-of: eldr
{{- with (index . 0).Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- with index . 2 }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- /* An image by digest, else by tag. Takes (list root imageValues). */ -}}
{{- define "eldr.image" -}}
{{- $root := index . 0 -}}{{- $image := index . 1 -}}
{{- with $root.Values.image.registry -}}{{ . | trimSuffix "/" }}/{{- end -}}
{{- $image.repository -}}
{{- if $image.digest -}}@{{ $image.digest }}
{{- else -}}:{{ $image.tag | default $root.Values.image.tag | default $root.Chart.AppVersion }}
{{- end -}}
{{- end -}}

{{- define "eldr.pullSecrets" -}}
{{- with .Values.image.pullSecrets -}}
imagePullSecrets:
{{- range . }}
  - name: {{ . }}
{{- end }}
{{- end }}
{{- end -}}

{{- /* The name of a component's service account. Takes (list root component values). */ -}}
{{- define "eldr.serviceAccount" -}}
{{- (index . 2).serviceAccount.name | default (printf "%s-%s" (include "eldr.fullname" (index . 0)) (index . 1)) -}}
{{- end -}}

{{- define "eldr.scheme" -}}{{ ternary "https" "http" (not (empty .Values.tls.secretName)) }}{{- end -}}

{{- define "eldr.tokensSecret" -}}
{{- .Values.auth.existingSecret | default (printf "%s-tokens" (include "eldr.fullname" .)) -}}
{{- end -}}

{{- define "eldr.postgresSecret" -}}
{{- if eq .Values.postgres.mode "external" -}}{{ .Values.postgres.existingSecret }}
{{- else -}}{{ include "eldr.fullname" . }}-postgres
{{- end -}}
{{- end -}}

{{- define "eldr.usersSecret" -}}
{{- .Values.adminUi.usersSecret | default (printf "%s-users" (include "eldr.fullname" .)) -}}
{{- end -}}

{{- /* A key of a secret that is there already, else nothing. Takes (list root secret key). */ -}}
{{- define "eldr.presentKey" -}}
{{- $secret := lookup "v1" "Secret" (index . 0).Release.Namespace (index . 1) -}}
{{- if $secret -}}{{- index ($secret.data | default dict) (index . 2) | default "" | b64dec -}}{{- end -}}
{{- end -}}

{{- /*
Stops an install that names a secret which is not there, where the cluster can be asked: every namespace of a cluster has a
service account "default". Takes (list root secret keys value).
*/ -}}
{{- define "eldr.requireSecret" -}}
{{- $root := index . 0 -}}{{- $name := index . 1 -}}{{- $keys := index . 2 -}}
{{- if and $root.Values.checkSecrets (lookup "v1" "ServiceAccount" $root.Release.Namespace "default") -}}
{{- $secret := lookup "v1" "Secret" $root.Release.Namespace $name -}}
{{- if not $secret -}}
{{- fail (printf "%s: there is no secret %q in namespace %q. Create it with the keys %s, or set checkSecrets=false if something else will." (index . 3) $name $root.Release.Namespace (join ", " $keys)) -}}
{{- end -}}
{{- range $keys -}}
{{- if not (hasKey ($secret.data | default dict) .) -}}
{{- fail (printf "%s: secret %q in namespace %q has no key %q." (index $ 3) $name $root.Release.Namespace .) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
