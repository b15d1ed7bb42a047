import { useSignals } from '@preact/signals-react/runtime'
import {
  BookOpen,
  Globe,
  Info,
  Keyboard,
  LogOut,
  type LucideIcon,
  Monitor,
  Moon,
  Settings,
  ShieldCheck,
  Sun,
  X,
} from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'wouter'
import { type Language, languages } from '../../shared/languages'
import { useApp } from '../app-context'
import { ofItself, useModal } from '../components/dialog'
import { IconButton } from '../components/buttons'
import { SegmentedChoice } from '../components/segments'
import { currentLanguage } from '../i18n'
import { routes } from '../routes'
import { type Theme, themes } from '../state/preferences'
import type { Sidebar } from '../state/shell'
import { LanguageDialog } from './dialogs'
import {
  type Entry,
  isWithin,
  libraryEntries,
  mainEntries,
  searchEntry,
  statisticsEntry,
  useAccountPlaces,
} from './navigation'
import './sheets.css'

const themeIcons = { system: Monitor, light: Sun, dark: Moon } satisfies Record<Theme, LucideIcon>

/** The sidebar of phones, as a sheet: the main menu and everything else that wide screens have in their bars. */
export function MoreSheet({ sidebar }: { sidebar: Sidebar }) {
  const { t } = useTranslation()
  const dialog = useRef<HTMLDialogElement>(null)
  const [isChoosing, setChoosing] = useState(false)
  const close = sidebar.closeOverlay
  useModal(dialog)
  // The first entry, not the choice of a theme that is above it.
  useEffect(() => dialog.current?.querySelector<HTMLElement>('nav a')?.focus(), [])
  return (
    <dialog
      ref={dialog}
      className="more-sheet"
      aria-label={t('more')}
      onClose={ofItself(close)}
      onPointerDown={event => {
        if (event.target === dialog.current) dialog.current.close()
      }}
    >
      <article>
        <Head onClose={close} />
        <nav className="more-main stack gap-8 below-8" aria-label={t('main-menu')}>
          {[...mainEntries, searchEntry].map(entry => (
            <MoreEntry key={entry.key} entry={entry} onChosen={close} />
          ))}
        </nav>
        <LibraryList onChosen={close} onLanguage={() => setChoosing(true)} />
      </article>
      {isChoosing && <LanguageDialog onClose={() => setChoosing(false)} />}
    </dialog>
  )
}

/** The person who is signed in, the choice of a theme, and the button that hides the menu. */
function Head({ onClose }: { onClose: () => void }) {
  useSignals()
  const { session, theme } = useApp()
  const { t } = useTranslation()
  const name = session.user.value?.username
  return (
    <div className="more-head wrap row gap-8 spread">
      {name && (
        <span className="more-initial soft strong accent disc" aria-hidden="true">
          {[...name][0]}
        </span>
      )}
      <span className="more-user shrinks strong stack" dir="auto">
        <span className="truncate">{name}</span>
        <small className="muted truncate">{location.host}</small>
      </span>
      <SegmentedChoice
        label={t('theme')}
        value={theme.theme.value}
        onChange={theme.choose}
        choices={themes.map(value => {
          const Icon = themeIcons[value]
          return { value, label: t(`theme-${value}`), icon: <Icon size={18} aria-hidden="true" /> }
        })}
      />
      {/* The button that opened the sheet lies beneath it. */}
      <IconButton className="push" icon={X} label={t('toggle-menu')} aria-expanded onClick={onClose} />
    </div>
  )
}

/** Everything beyond the main menu. */
function LibraryList({ onChosen, onLanguage }: { onChosen: () => void; onLanguage: () => void }) {
  useSignals()
  const { prefix, session, downloads, keysHelp, failed } = useApp()
  const { t } = useTranslation()
  const { maySettings, mayAdminister, signsIn } = useAccountPlaces()
  const active = downloads.activeCount.value
  return (
    <nav aria-label={t('library')}>
      {libraryEntries.map(entry => (
        <MoreEntry
          key={entry.key}
          entry={entry}
          note={entry.to === routes.downloads && active > 0 ? t('downloads-active', { count: active }) : ''}
          onChosen={onChosen}
        />
      ))}
      <MoreEntry entry={statisticsEntry} onChosen={onChosen} />
      {maySettings && <MoreEntry entry={settingsEntry} onChosen={onChosen} />}
      {mayAdminister && <MoreEntry entry={administrationEntry} onChosen={onChosen} />}
      <MoreEntry entry={infoEntry} onChosen={onChosen} />
      <MoreButton
        icon={Globe}
        text={t('language')}
        note={languages[currentLanguage() as Language]}
        onClick={onLanguage}
      />
      <MoreButton
        icon={Keyboard}
        text={t('keys')}
        onClick={() => {
          onChosen()
          keysHelp.open()
        }}
      />
      <a className="entry" href={`${prefix}/help/`}>
        <BookOpen size={20} strokeWidth={1.75} aria-hidden="true" />
        <span>{t('help')}</span>
      </a>
      {signsIn && <MoreButton icon={LogOut} text={t('log-out')} onClick={() => void session.logOut().catch(failed)} />}
    </nav>
  )
}

const settingsEntry: Entry = { to: routes.settings, under: routes.settings, key: 'settings', icon: Settings }
const infoEntry: Entry = { to: routes.info, under: routes.info, key: 'system-info', icon: Info }
const administrationEntry: Entry = {
  to: routes.users,
  under: '/administration',
  key: 'administration',
  icon: ShieldCheck,
}

function MoreEntry({ entry, note = '', onChosen }: { entry: Entry; note?: string; onChosen: () => void }) {
  const { t } = useTranslation()
  const [location] = useLocation()
  const { to, key, icon: Icon } = entry
  return (
    <Link className="entry" href={to} aria-current={isWithin(location, entry) ? 'page' : undefined} onClick={onChosen}>
      <Icon size={20} strokeWidth={1.75} aria-hidden="true" />
      <span>{t(key)}</span>
      {note && <small className="muted push">{note}</small>}
    </Link>
  )
}

type ButtonProps = { icon: LucideIcon; text: string; note?: string; onClick: () => void }

function MoreButton({ icon: Icon, text, note = '', onClick }: ButtonProps) {
  return (
    <button type="button" className="entry" onClick={onClick}>
      <Icon size={20} strokeWidth={1.75} aria-hidden="true" />
      <span>{text}</span>
      {note && <small className="muted push">{note}</small>}
    </button>
  )
}
