import { useEffect, useRef, useState } from 'react';
import { curl, type RestCall } from '../api/call';
import { Button } from './button';
import { Icon } from './icon';

/** The call that a button makes, to be read and copied. */
export function RestCallView({ call }: { readonly call: RestCall }) {
  const text = curl(call);
  return (
    <figure className="rest-call">
      <figcaption className="rest-call-head">
        <span>
          <b>{call.method}</b> <span className="mono">{call.path}</span>
        </span>
        <CopyButton text={text} what="as curl" />
      </figcaption>
      {/* Long calls scroll sideways; the keyboard must reach that too. */}
      <pre role="region" aria-label="The call as curl" tabIndex={0}>
        <code>{text}</code>
      </pre>
    </figure>
  );
}

export function CopyButton({ text, what }: { readonly text: string; readonly what: string }) {
  const [copied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const copy = async (): Promise<void> => {
    await toClipboard(text);
    setCopied(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setCopied(false), 1800);
  };
  return (
    <Button variant="ghost" small onPress={() => void copy()}>
      <Icon name={copied ? 'check' : 'copy'} />
      <span aria-live="polite">{copied ? 'Copied' : `Copy ${what}`}</span>
    </Button>
  );
}

/** Browsers offer their clipboard on safe origins alone; elsewhere the old way still works. */
async function toClipboard(text: string): Promise<void> {
  if ('clipboard' in navigator && window.isSecureContext) {
    await navigator.clipboard.writeText(text);
    return;
  }
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'visually-hidden';
  (document.activeElement?.closest('[role="dialog"]') ?? document.body).append(area);
  area.select();
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- there is no other way on http
  document.execCommand('copy');
  area.remove();
}
