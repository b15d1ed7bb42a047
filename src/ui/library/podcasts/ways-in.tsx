import { ChevronRight, FolderInput, Rss, Smartphone, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { routes } from '../../routes'

/** `onAddress`: null where the field above takes addresses alone and says so. */
type Props = { onAddress: (() => void) | null }

/** The other ways to the first podcasts: an address, the library of another program, a phone that syncs. */
export function WaysIn({ onAddress }: Props) {
  const { t } = useTranslation()
  return (
    <ul className="ways-in">
      {onAddress && (
        <li>
          <button type="button" onClick={onAddress}>
            <Way icon={Rss} title={t('way-address')}>
              {t('way-address-text')}
            </Way>
          </button>
        </li>
      )}
      <li>
        <Link href={routes.settingsOf('move-in')}>
          <Way icon={FolderInput} title={t('way-move')}>
            {t('way-move-text')} <span className="way-drop">{t('way-import-drop')}</span>
          </Way>
        </Link>
      </li>
      <li>
        <Link href={routes.settingsOf('apps')}>
          <Way icon={Smartphone} title={t('way-phone')}>
            {t('way-phone-text')} <u>{t('way-phone-address')}</u>
          </Way>
        </Link>
      </li>
    </ul>
  )
}

function Way({ icon: Icon, title, children }: { icon: LucideIcon; title: string; children: ReactNode }) {
  return (
    <>
      <Icon size={20} strokeWidth={1.75} aria-hidden="true" />
      <span>
        <b>{title}</b>
        <span className="muted">{children}</span>
      </span>
      <ChevronRight size={16} aria-hidden="true" />
    </>
  )
}
