import { type ReactNode, useId } from 'react';
import { Input, Label, SearchField as AriaSearchField, Text, TextField as AriaTextField } from 'react-aria-components';
import { Icon } from './icon';

interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly type?: 'text' | 'password' | 'number' | 'datetime-local';
  readonly help?: ReactNode;
  readonly placeholder?: string;
  readonly autoComplete?: string;
  readonly isRequired?: boolean;
  readonly autoFocus?: boolean;
  readonly maxLength?: number;
}

export function TextField({ label, help, placeholder, type = 'text', ...rest }: TextFieldProps) {
  return (
    <AriaTextField className="field" type={type === 'datetime-local' || type === 'number' ? 'text' : type} {...rest}>
      <Label>{label}</Label>
      <Input className="input" type={type} step={type === 'datetime-local' ? 1 : 'any'} {...(placeholder === undefined ? {} : { placeholder })} />
      {help === undefined ? null : (
        <Text slot="description" className="help">
          {help}
        </Text>
      )}
    </AriaTextField>
  );
}

export function SearchField({ label, value, onChange }: { readonly label: string; readonly value: string; readonly onChange: (value: string) => void }) {
  return (
    <AriaSearchField className="search" aria-label={label} value={value} onChange={onChange}>
      <Icon name="search" />
      <Input className="input" placeholder={label} />
    </AriaSearchField>
  );
}

interface Option {
  readonly value: string;
  readonly name: string;
}

interface SelectProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly options: readonly Option[];
  readonly help?: ReactNode;
  /** Only for the ear. */
  readonly hideLabel?: boolean;
}

/** The browser's own: it is at home on a phone, by keyboard and with a screen reader. */
export function Select({ label, value, onChange, options, help, hideLabel = false }: SelectProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id} className={hideLabel ? 'visually-hidden' : ''}>
        {label}
      </label>
      <span className="select">
        <select
          id={id}
          className="input"
          value={value}
          onChange={(event) => onChange(event.target.value)}
          {...(help === undefined ? {} : { 'aria-describedby': `${id}-help` })}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.name}
            </option>
          ))}
        </select>
        <Icon name="down" />
      </span>
      {help === undefined ? null : (
        <span id={`${id}-help`} className="help">
          {help}
        </span>
      )}
    </div>
  );
}

interface CheckboxProps {
  readonly children: ReactNode;
  readonly isSelected: boolean;
  readonly onChange: (selected: boolean) => void;
  readonly isDisabled?: boolean;
  readonly help?: ReactNode;
}

export function Checkbox({ children, isSelected, onChange, isDisabled = false, help }: CheckboxProps) {
  const id = useId();
  return (
    <div>
      <label className="checkbox" data-disabled={isDisabled || undefined}>
        <input
          type="checkbox"
          checked={isSelected}
          disabled={isDisabled}
          onChange={(event) => onChange(event.target.checked)}
          {...(help === undefined ? {} : { 'aria-describedby': id })}
        />
        <span>{children}</span>
      </label>
      {help === undefined ? null : (
        <p id={id} className="help">
          {help}
        </p>
      )}
    </div>
  );
}
