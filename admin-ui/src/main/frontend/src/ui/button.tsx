import type { ReactNode } from 'react';
import { Button as AriaButton, Focusable, Tooltip as AriaTooltip, TooltipTrigger } from 'react-aria-components';

export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger';

interface ButtonProps {
  readonly children: ReactNode;
  readonly onPress?: () => void;
  readonly variant?: ButtonVariant;
  readonly small?: boolean;
  readonly type?: 'button' | 'submit';
  readonly isPending?: boolean;
  readonly isDisabled?: boolean;
  /** Why it cannot be pressed. It then stays in the order of focus, so that everybody can read why. */
  readonly refusal?: string | undefined;
  /** For a button that shows a symbol alone. */
  readonly label?: string;
  readonly autoFocus?: boolean;
}

export function Button({
  children,
  onPress,
  variant = 'secondary',
  small = false,
  type = 'button',
  isPending = false,
  isDisabled = false,
  refusal,
  label,
  autoFocus = false,
}: ButtonProps) {
  const className = `button button-${variant}${small ? ' button-small' : ''}`;
  if (refusal !== undefined) {
    return (
      <Hint text={refusal}>
        <button type="button" className={`${className} is-refused`} aria-disabled="true" aria-label={label}>
          {children}
        </button>
      </Hint>
    );
  }
  const button = (
    <AriaButton
      className={className}
      type={type}
      isPending={isPending}
      isDisabled={isDisabled}
      // The one control of a dialog that just opened may take the focus.
      autoFocus={autoFocus}
      {...(onPress === undefined ? {} : { onPress })}
      {...(label === undefined ? {} : { 'aria-label': label })}
    >
      {children}
    </AriaButton>
  );
  if (label === undefined) {
    return button;
  }
  return (
    <TooltipTrigger delay={400} closeDelay={0}>
      {button}
      <AriaTooltip className="tooltip" offset={6}>
        {label}
      </AriaTooltip>
    </TooltipTrigger>
  );
}

/** Explains what is hovered or focused. The child must be able to take the focus. */
export function Hint({ text, children }: { readonly text: ReactNode; readonly children: React.ReactElement }) {
  return (
    <TooltipTrigger delay={200} closeDelay={0}>
      <Focusable>{children as React.ComponentProps<typeof Focusable>['children']}</Focusable>
      <AriaTooltip className="tooltip" offset={6}>
        {text}
      </AriaTooltip>
    </TooltipTrigger>
  );
}
