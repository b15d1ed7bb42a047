import { ExternalLink } from 'lucide-react'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type {
  Chat,
  CommonTags,
  License,
  Location,
  Person as PersonOf,
  Value,
  ValueRecipient,
  ValueTimeSplit,
} from '../../../shared/api/podcast-tags'
import { formatDuration } from '../../../shared/duration'
import { regionalLanguage } from '../../format'
import { routes } from '../../routes'
import { Portrait } from '../covers'
import './extras.css'

type Props = { persons: readonly PersonOf[]; onChosen?: () => void }

/** The people of a podcast or an episode. A name links to everything that they took part in. */
export function Persons({ persons, onChosen }: Props) {
  const { t } = useTranslation()
  if (persons.length === 0) return null
  return (
    <section className="feed-extras spaced">
      <h4 className="below-8 inherited">{t('persons')}</h4>
      <ul className="gap-4 x-16 wrap">
        {persons.map(person => (
          <li key={`${person.name} ${person.role} ${person.href}`}>
            <Person person={person} onChosen={onChosen} />
          </li>
        ))}
      </ul>
      <Link className="all-people text-s with-icon" href={routes.people} onClick={onChosen}>
        {t('all-people')}
      </Link>
    </section>
  )
}

function Person({ person, onChosen }: { person: PersonOf; onChosen: (() => void) | undefined }) {
  const { t } = useTranslation()
  const { name, role, group, img, href } = person
  const about = [role, group].filter(Boolean).join(' · ')
  return (
    <span className="person pressable row">
      <Link className="row gap-10 pressable ink fine breaks undecorated" href={routes.person(name)} onClick={onChosen}>
        <Portrait name={name} picture={img} />
        <span>
          <b className="block" dir="auto">
            {name}
          </b>
          {about && (
            <small className="muted" dir="auto">
              {about}
            </small>
          )}
        </span>
      </Link>
      {href && (
        <a
          className="row pressable centred faint"
          href={href}
          target="_blank"
          rel="noopener noreferrer"
          aria-label={t('web-page-of', { name })}
        >
          <ExternalLink size={16} strokeWidth={1.75} aria-hidden="true" />
        </a>
      )}
    </span>
  )
}

/** Places, each with a link to a map. */
export const Locations = ({ locations }: { locations: readonly Location[] }) =>
  locations.map((location, index) => (
    <Fragment key={`${location.rel} ${location.name}`}>
      {index > 0 && ', '}
      <Place {...location} />
    </Fragment>
  ))

function Place({ name, geo, osm }: Location) {
  const href = mapAddress(geo, osm)
  if (!href) return <span dir="auto">{name}</span>
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" dir="auto">
      {name}
    </a>
  )
}

const elements: Record<string, string> = { N: 'node', W: 'way', R: 'relation' }

/** The address of a place in OpenStreetMap: `R113314`, or `geo:30.2672,97.7431`. */
export function mapAddress(geo = '', osm = ''): string | null {
  const [, kind = '', id] = /^([NWR])(\d+)/i.exec(osm) ?? []
  if (id) return `https://www.openstreetmap.org/${elements[kind.toUpperCase()]}/${id}`
  const [, latitude, longitude] = /^geo:(-?[\d.]+),(-?[\d.]+)/i.exec(geo) ?? []
  if (!longitude) return null
  return `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=12/${latitude}/${longitude}`
}

/** Satoshis in a bitcoin, in which feeds suggest amounts. */
const SATS = 1e8

/** The recipients of payments, with their shares. Castellan pays nobody; an address opens the listener's wallet. */
export function Payments({ value }: { value: Value }) {
  const { t } = useTranslation()
  const { recipients, timeSplits = [], suggested, type } = value
  if (recipients.length === 0 && timeSplits.length === 0) return null
  const sats = type === 'lightning' ? Math.round(Number(suggested) * SATS) : 0
  return (
    <section className="feed-extras spaced payments">
      <h4 className="below-8 inherited">{t('payments')}</h4>
      <Recipients recipients={recipients} />
      {sats > 0 && <p className="muted flush">{t('payment-suggested', { count: sats })}</p>}
      {timeSplits.map(split => (
        <TimeSplit key={split.startTime} split={split} />
      ))}
    </section>
  )
}

function TimeSplit({ split }: { split: ValueTimeSplit }) {
  const { t } = useTranslation()
  const { startTime, duration, remoteItem, remotePercentage, recipients } = split
  const from = formatDuration(startTime)
  const to = formatDuration(startTime + duration)
  const remote = remoteItem && (remoteItem.title ?? remoteItem.itemGuid ?? remoteItem.feedUrl ?? remoteItem.feedGuid)
  return (
    <>
      <h5 className="muted numbers regular above-8">{t('payment-part', { from, to })}</h5>
      <Recipients
        recipients={[...(remote ? [{ name: remote, split: remotePercentage ?? 100, fee: true }] : []), ...recipients]}
        isPart
      />
    </>
  )
}

const formatPercent = (part: number) =>
  new Intl.NumberFormat(regionalLanguage(), { style: 'percent', maximumFractionDigits: 1 }).format(part)

/** A fee is a percentage of the whole; the others share what is left. */
function Recipients({ recipients, isPart = false }: { recipients: readonly ValueRecipient[]; isPart?: boolean }) {
  const { t } = useTranslation()
  const whole = recipients.reduce((sum, { split = 0, fee }) => (fee ? sum : sum + split), 0)
  return (
    <ul>
      {recipients.map(({ name, address, type, split = 0, fee }, place) => (
        // A feed may name the same recipient twice, and nothing distinguishes them.
        // oxlint-disable-next-line react/no-array-index-key
        <li className="row gap-16 spread breaks" key={place}>
          <Recipient name={name || address || '?'} address={type === 'lnaddress' ? address : undefined} />
          <span className="muted numbers">
            {fee && !isPart && `${t('payment-fee')} · `}
            {formatPercent(fee ? split / 100 : whole > 0 ? split / whole : 0)}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** An address that a wallet opens looks like `name@host`. Others are keys of machines. */
function Recipient({ name, address = '' }: { name: string; address: string | undefined }) {
  const { t } = useTranslation()
  if (!/^[\w.+-]+@[\w.-]+$/.test(address)) return <span dir="auto">{name}</span>
  return (
    <a href={`lightning:${address}`} rel="noopener noreferrer" dir="auto" aria-label={t('pay-by-lightning', { name })}>
      {name}
    </a>
  )
}

type FeedLinksProps = Pick<CommonTags, 'social' | 'chat' | 'contentLinks'>

/** Links to places where people talk, and to other places with the same content. */
export function FeedLinks(tags: FeedLinksProps) {
  const { t } = useTranslation()
  const { social = [], chat = [], contentLinks = [] } = tags
  const links = [
    ...contentLinks.map(({ href, text }) => ({ href, text: text || hostOf(href) })),
    ...social.map(({ uri, accountId }) => ({
      href: uri,
      text: [t('discussion-at', { host: hostOf(uri) }), accountId].filter(Boolean).join(' · '),
    })),
    ...chat.map(room => ({
      href: chatAddress(room),
      text: [t('chat-at', { host: room.server }), room.space].filter(Boolean).join(' · '),
    })),
  ]
  if (links.length === 0) return null
  return (
    <ul className="feed-links gap-4 x-16 wrap spaced">
      {links.map(({ href, text }) => (
        <li key={`${href} ${text}`}>
          {href ? (
            <a className="with-icon" href={href} target="_blank" rel="noopener noreferrer" dir="auto">
              {text}
            </a>
          ) : (
            <span dir="auto">{text}</span>
          )}
        </li>
      ))}
    </ul>
  )
}

const hostOf = (address: string) => URL.parse(address)?.hostname ?? address

/** The address that opens a chat room in a program for its protocol; null for protocols without one. */
export function chatAddress({ server, protocol, space }: Chat): string | null {
  if (!/^[\w.-]+(:\d{1,5})?$/.test(server)) return null
  const room = encodeURIComponent(space ?? '')
  if (protocol === 'irc' || protocol === 'ircs') return `${protocol}://${server}/${room}`
  if (protocol === 'matrix') return space ? `https://matrix.to/#/${room}` : null
  if (protocol === 'xmpp')
    return space ? `xmpp:${space.includes('@') ? space.replace(/[?#].*/, '') : `${room}@${server}`}?join` : null
  return null
}

/** Proofs of ownership, and other texts for machines. */
const forMachines = new Set(['verify', 'applepodcastsverify'])

/** The texts of a publisher that have no separate place. */
export const wordsIn = ({ txt = [] }: Pick<CommonTags, 'txt'>) =>
  txt.filter(({ purpose }) => !forMachines.has(purpose?.toLowerCase() ?? ''))

/** A licence by its name, with a link to its text: SPDX has a public list of them. */
export function LicenseName({ license: { name, url } }: { license: License }) {
  const isKnown = /^[\w.-]{3,60}$/.test(name)
  const href = url ?? (isKnown ? `https://spdx.org/licenses/${spdxName(name)}` : null)
  const text = name || URL.parse(url ?? '')?.hostname
  if (!href) return <span dir="auto">{text}</span>
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" dir="auto">
      {text}
    </a>
  )
}

/** The namespace writes identifiers in lower case, and SPDX `CC-BY-4.0`. */
const spdxName = (name: string) => (/^cc/i.test(name) ? name.toUpperCase() : name)

/** The licence and texts of an episode. */
export function FeedWords({ license, txt }: Pick<CommonTags, 'license' | 'txt'>) {
  const { t } = useTranslation()
  return (
    <>
      {license && (
        <p className="muted">
          {t('license')}: <LicenseName license={license} />
        </p>
      )}
      {wordsIn({ ...(txt && { txt }) }).map(({ purpose, text }) => (
        <p key={`${purpose} ${text}`} className="muted" dir="auto">
          {purpose ? `${purpose}: ${text}` : text}
        </p>
      ))}
    </>
  )
}
