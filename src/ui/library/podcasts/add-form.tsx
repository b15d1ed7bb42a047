import { useSignals } from '@preact/signals-react/runtime'
import { ChevronRight, Link2, Search } from 'lucide-react'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../../app-context'
import { BusyButton } from '../../components/buttons'
import { onSubmit } from '../../components/use-action'
import { type AddressLook, createAddressLook } from '../../state/address-look'
import { AddressStatus, DirectoryResults } from './directory-results'
import { DownloadChoice, FeedPreviewSkeleton, type FirstDownloads, PreviewOfFeed, usualDownloads } from './feed-preview'
import { isRefused, useAdding } from './use-adding'
import { useOpmlInside } from './add-anywhere'
import './adding.css'
import { Link } from 'wouter'
import type { FeedChoice as Choice } from '../../../shared/api/directory'
import { routes } from '../../routes'
import { TextField } from '../../components/fields'

type Props = {
  /** Text to begin with. */
  text?: string
  /** False if no directory has answered: then the field asks for an address, though words are searched all the same. */
  takesWords?: boolean
  /** Shown while the field is empty: a line below it, and the rest. */
  status?: ReactNode
  idle?: ReactNode
  isBig?: boolean
  isFocused?: boolean
  /** Further buttons, before the one that adds. */
  buttons?: ReactNode
  onAdded?: () => void
}

/** One field for a name, a feed, a web page or a list of feeds: shows what it leads to, and adds it. */
export function AddForm(props: Props) {
  useSignals()
  const { text = '', takesWords = true, status, idle, isBig = false, isFocused, buttons, onAdded } = props
  const { api } = useApp()
  const { t } = useTranslation()
  const [look] = useState(() => createAddressLook(api.podcasts.preview))
  useEffect(() => {
    look.type(text)
    return look.end
  }, [look, text])
  const form = useAddForm(look, onAdded)
  const isEmpty = look.given.value === ''
  const isWords = !isEmpty && !look.isAddress.value
  const help = isEmpty && !isBig ? t(takesWords ? 'add-help' : 'add-help-address') : ''
  const { action } = form
  const isBlank = isEmpty && isBig
  const foot = (!isBig || action) && (
    <footer>
      {buttons}
      {action && (
        <BusyButton type="submit" isBusy={form.isBusy}>
          {form.isBusy ? t('adding-podcast') : t(action)}
        </BusyButton>
      )}
    </footer>
  )
  return (
    <form className={`add-form ${isBig ? 'is-big' : ''}`} onSubmit={onSubmit(form.submit)} noValidate>
      <AddField look={look} field={form.field} takesWords={takesWords} isFocused={isFocused} onType={form.type} />
      {isWords ? (
        <DirectoryResults words={look.given.value} />
      ) : (
        <AddressStatus look={look} failure={form.failure} help={help} />
      )}
      {isBlank && foot}
      {isEmpty && status}
      {form.mayTryAsBrowser && <TryAsBrowser onTry={form.tryAsBrowser} />}
      <Seen look={look} form={form} />
      {isEmpty && idle}
      {!isBlank && foot}
    </form>
  )
}

/** Offers the name of this browser for a host that refuses Castellan's. */
function TryAsBrowser({ onTry }: { onTry: () => void }) {
  const { t } = useTranslation()
  return (
    <button type="button" className="secondary try-as-browser" onClick={onTry}>
      {t('try-as-browser')}
    </button>
  )
}

/** Shows the findings at the address, and the choices they leave. */
function Seen({ look, form }: { look: AddressLook; form: ReturnType<typeof useAddForm> }) {
  useSignals()
  const { t } = useTranslation()
  if (look.isBusy.value) return <FeedPreviewSkeleton />
  const seen = look.looked.value?.seen
  if (seen?.kind === 'choice') return <FeedChoice feeds={seen.feeds} onChoose={look.choose} />
  if (seen?.kind === 'elsewhere') return <SearchInstead words={seen.words} onSearch={form.type} />
  if (seen?.kind === 'sign-in') return <FeedSignIn key={seen.feedUrl} onChange={form.setSignIn} />
  if (seen?.kind !== 'feed') return null
  return (
    <>
      <PreviewOfFeed seen={seen} />
      {look.userAgent.value !== undefined && <p className="muted">{t('seen-as-browser')}</p>}
      <DownloadChoice seen={seen} chosen={form.chosenDownloads ?? 0} onChoose={form.chooseDownloads} />
    </>
  )
}

/** Offers to search for the podcast of a link that leads to no feed; nothing if its name is unknown. */
function SearchInstead({ words, onSearch }: { words: string | null; onSearch: (words: string) => void }) {
  const { t } = useTranslation()
  if (words === null) return null
  return (
    <button type="button" className="secondary try-as-browser with-icon" onClick={() => onSearch(words)}>
      <Search size={16} aria-hidden="true" />
      <span dir="auto">{t('search-for', { words })}</span>
    </button>
  )
}

/** Submits the form: looks again with a password, opens a list of feeds, or adds the podcast. */
function useAddForm(look: AddressLook, onAdded: (() => void) | undefined) {
  useSignals()
  const { session } = useApp()
  const field = useRef<HTMLInputElement>(null)
  const adding = useAdding({ onAdded })
  const { lookInside, ...opening } = useOpmlInside(onAdded)
  const [chosen, setChosen] = useState<FirstDownloads>()
  const [signIn, setSignIn] = useState<[user: string, password: string]>(['', ''])
  const { address, seen } = look.looked.value ?? {}
  const feed = seen?.kind === 'feed' ? seen : null
  const usual = feed ? usualDownloads(feed) : undefined
  const chosenDownloads = chosen === undefined ? usual : chosen

  function submit() {
    if (seen?.kind === 'sign-in') return look.signIn(seen.feedUrl, ...signIn)
    if (seen?.kind === 'opml') return lookInside({ url: seen.url })
    if (look.given.value !== '' && !look.isAddress.value) return
    // What came with a password is fetched with it again.
    const wanted = feed && !hasPassword(address!) ? feed.feedUrl : (address ?? look.given.value)
    adding.run(wanted, {
      evenUnplayable: feed?.isUnplayable ?? false,
      userAgent: look.userAgent.value,
      ...(feed?.downloads && { firstDownloads: chosenDownloads }),
    })
    if (wanted === '') field.current?.focus()
  }
  return {
    field,
    submit,
    action: actionOf(look),
    isBusy: adding.isBusy || opening.isBusy,
    failure: adding.reason ?? opening.reason,
    mayTryAsBrowser:
      session.mayUpload.value &&
      look.userAgent.value === undefined &&
      !look.isBusy.value &&
      isRefused(adding.failure ?? look.error.value),
    tryAsBrowser() {
      adding.forgetFailure()
      look.lookAs(navigator.userAgent)
    },
    chosenDownloads,
    chooseDownloads: setChosen,
    setSignIn: (user: string, password: string) => setSignIn([user, password]),
    type(text: string) {
      adding.forgetFailure()
      setChosen(undefined)
      look.type(text)
    },
  }
}

const hasPassword = (address: string) => URL.parse(address)?.username !== '' && URL.canParse(address)

/** The key of the text on the button; null if there is nothing to do. */
function actionOf({ given, isAddress, looked }: AddressLook): string | null {
  const seen = looked.value?.seen
  if (given.value !== '' && !isAddress.value) return null
  if (seen?.kind === 'known' || seen?.kind === 'choice' || seen?.kind === 'elsewhere') return null
  if (seen?.kind === 'sign-in') return 'sign-in-to-feed'
  if (seen?.kind === 'opml') return 'look-inside'
  return seen?.kind === 'feed' && seen.isUnplayable ? 'add-anyway' : 'add-podcast'
}

type FieldProps = {
  look: AddressLook
  field: RefObject<HTMLInputElement | null>
  takesWords: boolean
  isFocused: boolean | undefined
  onType: (text: string) => void
}

function AddField({ look, field, takesWords, isFocused = false, onType }: FieldProps) {
  useSignals()
  const { t } = useTranslation()
  const Icon = look.isAddress.value || !takesWords ? Link2 : Search
  const label = t(takesWords ? 'add-field' : 'add-field-address')
  return (
    <label className="add-field flush relative">
      <Icon className="absolute faint" size={20} strokeWidth={1.75} aria-hidden="true" />
      <span className="visually-hidden">{label}</span>
      <input
        ref={field}
        type="text"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        enterKeyHint="go"
        placeholder={label}
        maxLength={4096}
        value={look.text.value}
        aria-describedby="address-status"
        aria-invalid={(look.error.value !== null && !look.isBusy.value) || undefined}
        // The page or dialog is there to type in it.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus={isFocused}
        onChange={event => onType(event.target.value)}
      />
    </label>
  )
}

/** The feeds that a web page names, to choose one from. */
function FeedChoice({ feeds, onChoose }: { feeds: Choice['feeds']; onChoose: (feedUrl: string) => void }) {
  const { t } = useTranslation()
  return (
    <ul className="feed-choice">
      {feeds.map(({ feedUrl, title, episodes, podcastId }) => (
        <li key={feedUrl}>
          {podcastId === null ? (
            <button type="button" className="entry spread" onClick={() => onChoose(feedUrl)}>
              <span className="stack">
                <b dir="auto">{title}</b>
                <span className="muted numbers">{t('episodes-count', { count: episodes })}</span>
              </span>
              <ChevronRight className="flip" size={18} aria-hidden="true" />
            </button>
          ) : (
            <Link className="entry spread" href={routes.episodes(podcastId)}>
              <span className="stack">
                <b dir="auto">{title}</b>
                <span className="muted">{t('already-added')}</span>
              </span>
              <ChevronRight className="flip" size={18} aria-hidden="true" />
            </Link>
          )}
        </li>
      ))}
    </ul>
  )
}

/** Asks for the name and the password of a feed. They belong to the form around them. */
function FeedSignIn({ onChange }: { onChange: (user: string, password: string) => void }) {
  const { t } = useTranslation()
  const [given, setGiven] = useState({ user: '', password: '' })
  function change(edit: Partial<typeof given>) {
    const next = { ...given, ...edit }
    setGiven(next)
    onChange(next.user, next.password)
  }
  return (
    <div className="feed-sign-in">
      <TextField
        label={t('username')}
        value={given.user}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        // The fields appear where the address left something to be typed.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        onChange={user => change({ user })}
      />
      <TextField
        label={t('password')}
        type="password"
        value={given.password}
        autoComplete="off"
        onChange={password => change({ password })}
      />
      <p className="muted">{t('feed-sign-in-help')}</p>
    </div>
  )
}
