import { Copy } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from './icon-button'
import './panels.css'

type Props = {
  label: string
  help: string
  value: string
  placeholder?: string
  /** Shows dots instead of the key. */
  isHidden?: boolean
  /** Absent if there is nothing to copy. */
  onCopy?: (() => void) | false
  /** Buttons next to it. */
  children: ReactNode
}

/** A key that is shown to be copied, and cannot be edited. */
export function KeyField({ label, help, value, placeholder, isHidden, onCopy, children }: Props) {
  const { t } = useTranslation()
  const id = useId()
  return (
    <>
      <label className="text-s strong" htmlFor={id}>
        {label}
      </label>
      <div className="key-field below-4 flex gap-4">
        <input
          className="grow"
          id={id}
          {...(isHidden && { type: 'password', autoComplete: 'off' })}
          value={value}
          placeholder={placeholder}
          readOnly
          aria-describedby={`${id}-help`}
        />
        {onCopy && <IconButton icon={Copy} label={t('copy')} onClick={onCopy} />}
        {children}
      </div>
      <small className="block faint" id={`${id}-help`}>
        {help}
      </small>
    </>
  )
}
