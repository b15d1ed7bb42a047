import { Fragment } from 'react'
import type { Location } from '../../../shared/api/podcast-tags'

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
