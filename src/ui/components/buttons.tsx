import { type LucideIcon, RefreshCw } from 'lucide-react'
import type { ButtonHTMLAttributes, ReactNode } from 'react'
import './components.css'
import { formatCount } from '../format'

type Props = { icon: LucideIcon; label: string; badge?: number; children?: ReactNode } & Omit<
  ButtonHTMLAttributes<HTMLButtonElement>,
  'aria-label' | 'title'
>

/**
 * A button with an icon, named for screen readers, and large enough for a thumb (44 px). `badge`: a count next to the
 * icon.
 */
export function IconButton({ icon: Icon, label, badge = 0, children, className = '', ...rest }: Props) {
  const name = badge > 0 ? `${label}: ${formatCount(badge)}` : label
  return (
    <button type="button" className={`icon-button ${className}`} aria-label={name} title={label} {...rest}>
      <Icon size={20} strokeWidth={1.75} aria-hidden="true" />
      {badge > 0 && <span className="badge absolute numbers">{formatCount(badge)}</span>}
      {children}
    </button>
  )
}

type RefreshButtonProps = { label: string; busyLabel: string; isBusy: boolean; className?: string; onClick: () => void }

/** Refreshes something; turns while it does. */
export const RefreshButton = ({ label, busyLabel, isBusy, className = '', onClick }: RefreshButtonProps) => (
  <IconButton
    icon={RefreshCw}
    label={isBusy ? busyLabel : label}
    className={`${className} ${isBusy ? 'is-turning' : ''}`}
    disabled={isBusy}
    onClick={onClick}
  />
)

type BusyButtonProps = { isBusy: boolean } & ButtonHTMLAttributes<HTMLButtonElement>

/** A button that cannot be pressed again while its action runs. */
export function BusyButton({ isBusy, disabled = false, type = 'button', ...rest }: BusyButtonProps) {
  return <button type={type} aria-busy={isBusy} disabled={isBusy || disabled} {...rest} />
}
