import { useSignals } from '@preact/signals-react/runtime'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { formatBytes } from '../format-facts'
import { routes } from '../routes'
import { useApp } from '../app-context'
import { playerKeys } from '../playback/keys'
import { Dialog } from '../components/dialog'
import { SettingGroup, SettingSwitch } from '../library/forms/setting-row'
import './sheets.css'
import { Check } from 'lucide-react'
import { chooseLanguage, currentLanguage } from '../i18n'
import { type Language, languages } from '../../shared/languages'

const names: Record<string, string> = { ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓' }

/** All keys, and a switch that turns single-key shortcuts off. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  useSignals()
  const { singleKeys } = useApp()
  const { t } = useTranslation()
  const rows: { keys: readonly string[]; text: string }[] = [
    ...playerKeys.map(({ keys, text }) => ({ keys: keys.map(key => (key === ' ' ? t('key-space') : key)), text })),
    { keys: ['/'], text: 'key-search' },
    { keys: ['q'], text: 'key-queue' },
    { keys: ['g h'], text: 'key-home' },
    { keys: ['g s'], text: 'key-subscriptions' },
    { keys: ['g f'], text: 'key-favourites' },
    { keys: ['g t'], text: 'key-timeline' },
    { keys: ['x'], text: 'key-select' },
    { keys: ['n'], text: 'key-play-next' },
    { keys: ['?'], text: 'key-help' },
    { keys: [`${t('key-control')}+F`, `${t('key-control')}+K`], text: 'key-search-toggle' },
    { keys: ['Esc'], text: 'key-close' },
  ]
  return (
    <Dialog title={t('keys')} onClose={onClose}>
      {() => (
        <>
          <dl className="keys level stack">
            {rows.map(({ keys, text }) => (
              <Fragment key={text}>
                <dt className="wrap gap-6 shrinks">
                  {keys.map(key => (
                    <kbd className="sunken ink text-s middle" key={key}>
                      {names[key] ?? key}
                    </kbd>
                  ))}
                </dt>
                <dd className="shrinks">{t(text)}</dd>
              </Fragment>
            ))}
          </dl>
          <SettingGroup>
            <SettingSwitch
              label={t('keys-single')}
              help={t('keys-single-help')}
              isOn={singleKeys.areOn.value}
              onChange={singleKeys.choose}
            />
          </SettingGroup>
        </>
      )}
    </Dialog>
  )
}

/** The languages, each by its own name. */
export function LanguageDialog({ onClose }: { onClose: () => void }) {
  const { failed } = useApp()
  const { t } = useTranslation()
  const current = currentLanguage()
  return (
    <Dialog title={t('language')} onClose={onClose}>
      {close => (
        <ul className="language-list below-4 stack gap-4">
          {(Object.entries(languages) as [Language, string][]).map(([language, name]) => (
            <li key={language}>
              <button
                type="button"
                className="entry pressable inset-12 spread"
                lang={language}
                aria-pressed={language === current}
                onClick={() => void chooseLanguage(language).then(close, failed)}
              >
                {name}
                {language === current && <Check size={18} aria-hidden="true" />}
              </button>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}

/** Says that the disk of the server is full, and to those who may see it which one. */
export function DiskNotice() {
  useSignals()
  const { t } = useTranslation()
  const disk = useApp().room.shortage.value?.disk
  return (
    <p className="shell-notice sticky caution rounded sunken" role="status">
      {t('server-disk-full')}{' '}
      {disk && (
        <Link href={routes.info}>
          {t('server-disk-free', { folder: disk.folder, size: formatBytes(disk.freeBytes ?? 0) })}
        </Link>
      )}
    </p>
  )
}
