import { useTranslation } from 'react-i18next'
import type { EpisodeExtras } from '../../../shared/api/episode'
import type { PodcastExtras } from '../../../shared/api/podcast'
import type { Location } from '../../../shared/api/podcast-tags'
import { Fragment } from 'react'
import './feed-extras.css'

/** The people of a podcast or an episode, with their pictures and pages. */
export function Persons({ persons }: Pick<EpisodeExtras, 'persons'>) {
  const { t } = useTranslation()
  if (persons.length === 0) return null
  return (
    <section className="feed-extras">
      <h4>{t('persons')}</h4>
      <ul className="persons">
        {persons.map(person => (
          <li key={`${person.name} ${person.role} ${person.href}`}>
            <Person {...person} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Person({ name, role, img, href }: EpisodeExtras['persons'][number]) {
  const content = (
    <>
      {img ? (
        <img src={img} alt="" width={36} height={36} loading="lazy" referrerPolicy="no-referrer" />
      ) : (
        <span className="person-initial" aria-hidden="true">
          {[...name][0]}
        </span>
      )}
      <span>
        <b dir="auto">{name}</b>
        {role && <small dir="auto">{role}</small>}
      </span>
    </>
  )
  if (!href) return <span className="person">{content}</span>
  return (
    <a className="person" href={href} target="_blank" rel="noopener noreferrer">
      {content}
    </a>
  )
}

/** Places, each with a link to where it is on a map. */
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

type LinksProps = Pick<PodcastExtras, 'social'> & { value?: unknown }

/** Links to where people talk, and to those who take payments by Lightning. */
export function FeedLinks({ social, value }: LinksProps) {
  const { t } = useTranslation()
  const links = [
    ...(social ?? []).map(({ uri }) => ({
      href: uri,
      text: t('discussion-at', { host: URL.parse(uri)?.hostname ?? uri }),
    })),
    ...payeesOf(value).map(({ name, address }) => ({
      href: `lightning:${address}`,
      text: t('pay-by-lightning', { name }),
    })),
  ]
  if (links.length === 0) return null
  return (
    <ul className="feed-links">
      {links.map(({ href, text }) => (
        <li key={href}>
          <a href={href} target="_blank" rel="noopener noreferrer" dir="auto">
            {text}
          </a>
        </li>
      ))}
    </ul>
  )
}

type Payee = { name: string; address: string }

/** Recipients of a value block with an address that a wallet opens: `name@host`. Others are keys of machines. */
function payeesOf(value: unknown): Payee[] {
  const { recipients } = (value ?? {}) as { recipients?: unknown }
  if (!Array.isArray(recipients)) return []
  return (recipients as { name?: string; type?: string; address?: string }[]).flatMap(({ name, type, address }) =>
    type === 'lnaddress' && address && /^[\w.+-]+@[\w.-]+$/.test(address) ? [{ name: name || address, address }] : [],
  )
}
