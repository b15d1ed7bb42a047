import { Check, type LucideIcon } from 'lucide-react'
import { Link } from 'wouter'

export type MenuItem = {
  /** Begins a new group of entries, with a heading unless it is empty. */
  group?: string
  icon?: LucideIcon
  label: string
  onSelect?: () => void
  /** An address outside the interface. */
  href?: string
  /** A page of the interface. */
  to?: string
  isDanger?: boolean
  /** One of several that exclude each other; a tick at the end marks it. */
  isChecked?: boolean
  /** The language of the label, where it is not the page's. */
  lang?: string
}

/** Joins groups of entries with a line between each and the next. */
export const inGroups = (...groups: readonly MenuItem[][]): MenuItem[] =>
  groups
    .filter(group => group.length > 0)
    .flatMap(([first, ...rest], index) => [index > 0 ? { group: '', ...first! } : first!, ...rest])

/** One entry of a menu: a button, or a link where it leads somewhere. */
export function MenuEntry({ item, onChosen }: { item: MenuItem; onChosen: () => void }) {
  const { icon: Icon, label, onSelect, href, to, isDanger, isChecked, lang } = item
  const content = (
    <>
      {Icon && <Icon size={18} strokeWidth={1.75} aria-hidden="true" />}
      {label}
      {isChecked && <Check className="menu-tick" size={18} strokeWidth={1.75} aria-hidden="true" />}
    </>
  )
  const common = { className: isDanger ? 'is-danger' : '', tabIndex: -1 }
  if (to)
    return (
      <Link {...common} role="menuitem" href={to} onClick={onChosen}>
        {content}
      </Link>
    )
  if (href)
    return (
      <a {...common} {...targetOf(href)} role="menuitem" href={href} onClick={onChosen}>
        {content}
      </a>
    )
  return (
    <button
      {...common}
      type="button"
      role={isChecked === undefined ? 'menuitem' : 'menuitemradio'}
      aria-checked={isChecked}
      lang={lang}
      onClick={() => {
        onChosen()
        onSelect?.()
      }}
    >
      {content}
    </button>
  )
}

/** Other sites open in their own tab, and learn nothing about this page. */
const targetOf = (href: string) =>
  URL.parse(href, location.href)?.origin === location.origin ? {} : { target: '_blank', rel: 'noopener noreferrer' }
