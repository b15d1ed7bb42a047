import type { LucideIcon } from 'lucide-react'
import type { ButtonHTMLAttributes, ReactNode } from 'react'
import './icon-button.css'

type Props = { icon: LucideIcon; label: string; badge?: number; children?: ReactNode } & Omit<
  ButtonHTMLAttributes<HTMLButtonElement>,
  'aria-label' | 'title'
>

/** A button that is an icon, with a name for those who do not see it. 44 px to the thumb. `badge`: how many wait there. */
export function IconButton({ icon: Icon, label, badge = 0, children, className = '', ...rest }: Props) {
  const name = badge > 0 ? `${label}: ${badge}` : label
  return (
    <button type="button" className={`icon-button ${className}`} aria-label={name} title={label} {...rest}>
      <Icon size={20} strokeWidth={1.75} aria-hidden="true" />
      {badge > 0 && <span className="badge numbers">{badge}</span>}
      {children}
    </button>
  )
}
