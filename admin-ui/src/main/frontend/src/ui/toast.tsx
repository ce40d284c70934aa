import { useSyncExternalStore } from 'react';
import { Icon } from './icon';

interface Message {
  readonly id: number;
  readonly text: string;
}

const SHOWN_FOR = 5_000;
const listeners = new Set<() => void>();
let messages: readonly Message[] = [];
let next = 0;

/** Says for a while that something was done. */
export function say(text: string): void {
  const id = next++;
  change([...messages, { id, text }]);
  setTimeout(() => change(messages.filter((message) => message.id !== id)), SHOWN_FOR);
}

function change(to: readonly Message[]): void {
  messages = to;
  listeners.forEach((listener) => listener());
}

export function Toasts() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => messages,
  );
  return (
    <div className="toasts" role="status">
      {shown.map((message) => (
        <p key={message.id} className="toast">
          <Icon name="check" /> {message.text}
        </p>
      ))}
    </div>
  );
}
