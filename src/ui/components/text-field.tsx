import type { ComponentProps } from 'react'
import { Field, type FieldTexts } from './field'

type Props = FieldTexts & Omit<ComponentProps<'input'>, 'onChange'> & { onChange?: (text: string) => void }

/** A labelled input of one line. `onChange` gets the text. */
export function TextField({ label, help, failure, onChange, ...input }: Props) {
  return (
    <Field label={label} help={help} failure={failure}>
      {props => <input {...input} {...props} {...(onChange && { onChange: event => onChange(event.target.value) })} />}
    </Field>
  )
}
