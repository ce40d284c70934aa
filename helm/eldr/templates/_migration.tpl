{{- /*
An ordinary Job: with --wait a hook that ran after the install would wait for services that wait for it. What a Job runs
cannot be changed, so its name says what it is: the chart's version and a digest of the pod, which names the image.
*/ -}}
{{- define "eldr.migrationPod" -}}
metadata:
  labels:
    {{- include "eldr.podLabels" (list . "migration" dict) | nindent 4 }}
spec:
  restartPolicy: Never
  automountServiceAccountToken: false
  enableServiceLinks: false
  {{- with include "eldr.pullSecrets" . }}{{ . | nindent 2 }}{{ end }}
  securityContext:
    {{- include "eldr.podSecurity" . | nindent 4 }}
  containers:
    - name: migrate
      image: {{ include "eldr.image" (list . .Values.calibration.image) }}
      imagePullPolicy: {{ .Values.image.pullPolicy }}
      args: [migrate]
      env:
        {{- include "eldr.schemaEnv" . | nindent 8 }}
      securityContext:
        {{- include "eldr.containerSecurity" . | nindent 8 }}
      resources:
        {{- toYaml .Values.migration.resources | nindent 8 }}
      volumeMounts:
        - name: tmp
          mountPath: /tmp
        {{- include "eldr.secretsMounts" (dict "root" . "component" "migration") | nindent 8 }}
  volumes:
    - name: tmp
      emptyDir: {}
    {{- include "eldr.secretsVolume" (dict "root" . "component" "migration") | nindent 4 }}
  {{- with .Values.calibration.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.calibration.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}
