import type { ReactNode } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { Button } from './button';
import { Icon } from './icon';

interface DialogProps {
  readonly title: string;
  readonly children: ReactNode;
  readonly onClose: () => void;
  /** Whether it must be answered. */
  readonly modal?: boolean;
  readonly wide?: boolean;
}

/** A dialog that is open as long as it is rendered. */
export function Dialog({ title, children, onClose, modal = false, wide = false }: DialogProps) {
  return (
    <ModalOverlay
      className="overlay"
      isOpen
      isDismissable={!modal}
      isKeyboardDismissDisabled={modal}
      onOpenChange={(open) => {
        if (!open) {
          onClose();
        }
      }}
    >
      <Modal className={wide ? 'modal modal-wide' : 'modal'}>
        <AriaDialog className="dialog">
          <header className="dialog-head">
            <Heading slot="title" level={2}>
              {title}
            </Heading>
            {modal ? null : (
              <Button variant="ghost" small label="Close" onPress={onClose}>
                <Icon name="close" />
              </Button>
            )}
          </header>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
