{{- /* What may be exposed: component, host, port, path. */ -}}
{{- define "eldr.exposed" -}}
{{- $hosts := index . 1 -}}{{- $values := (index . 0).Values -}}
{{- $all := list (list "router" $hosts.routerHost $values.router.service.port "/") (list "calibration" $hosts.calibrationHost $values.calibration.service.port "/") -}}
{{- if $values.adminUi.enabled -}}{{- $all = append $all (list "admin-ui" $hosts.adminHost $values.adminUi.service.port $values.adminUi.path) -}}{{- end -}}
{{- $named := list -}}{{- $seen := list -}}
{{- range $all -}}
{{- if index . 1 -}}
{{- if has (list (index . 1) (index . 3)) $seen -}}
{{- fail (printf "host %s with path %s is given to two services; give each its own host" (index . 1) (index . 3)) -}}
{{- end -}}
{{- $seen = append $seen (list (index . 1) (index . 3)) -}}{{- $named = append $named . -}}
{{- end -}}
{{- end -}}
{{- toJson $named -}}
{{- end -}}
