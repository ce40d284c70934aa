import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Form } from 'react-aria-components';
import type { RestCall } from '../api/call';
import { make } from '../api/client';
import { Button } from './button';
import { Dialog } from './dialog';
import { RestCallView } from './rest-call';
import { Refused } from './states';
import { say } from './toast';

interface ActionDialogProps<T> {
  readonly title: string;
  /** What will happen, and the fields that shape the call. */
  readonly children: ReactNode;
  readonly call: RestCall;
  readonly confirm: string;
  readonly danger?: boolean;
  readonly isIncomplete?: boolean;
  readonly onClose: () => void;
  readonly onDone?: (answer: T) => void;
  /** What to say once it is done. */
  readonly done: string | ((answer: T) => string);
  readonly wide?: boolean;
}

/** Asks before a call is made, shows the call, makes it, and says how it ended. A refusal leaves the dialog open. */
export function ActionDialog<T>({
  title,
  children,
  call,
  confirm,
  danger = false,
  isIncomplete = false,
  onClose,
  onDone,
  done,
  wide = false,
}: ActionDialogProps<T>) {
  const client = useQueryClient();
  const action = useMutation({
    mutationFn: () => make<T>(call),
    onSuccess: (answer) => {
      say(typeof done === 'string' ? done : done(answer));
      onDone?.(answer);
      onClose();
    },
    // Also after a refusal: who lost a race sees what the winner made of it.
    onSettled: () => client.invalidateQueries({ queryKey: ['services'] }),
  });
  return (
    <Dialog title={title} onClose={onClose} wide={wide}>
      <Form
        className="dialog-form"
        onSubmit={(event) => {
          event.preventDefault();
          action.mutate();
        }}
      >
        <div className="dialog-body">
          {children}
          <RestCallView call={call} />
          {action.isError ? <Refused failure={action.error} /> : null}
        </div>
        <footer className="dialog-foot">
          <Button onPress={onClose}>Not now</Button>
          <Button type="submit" variant={danger ? 'danger' : 'primary'} isPending={action.isPending} isDisabled={isIncomplete}>
            {action.isPending ? 'Working…' : confirm}
          </Button>
        </footer>
      </Form>
    </Dialog>
  );
}
