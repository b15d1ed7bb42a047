import type { LucideIcon } from 'lucide-react'
import type { ButtonHTMLAttributes, ReactNode } from 'react'
import './icon-button.css'

type Props = { icon: LucideIcon; label: string; children?: ReactNode } & Omit<
  ButtonHTMLAttributes<HTMLButtonElement>,
  'aria-label' | 'title'
>

/** A button that is an icon, with a name for those who do not see it. 44 px to the thumb. */
export function IconButton({ icon: Icon, label, children, className = '', ...rest }: Props) {
  return (
    <button type="button" className={`icon-button ${className}`} aria-label={label} title={label} {...rest}>
      <Icon size={20} strokeWidth={1.75} aria-hidden="true" />
      {children}
    </button>
  )
}
