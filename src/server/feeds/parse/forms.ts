import { keepSmall } from '../../platform/engine'
import type { ParsedEnclosure, ParsedForm } from './parsed-feed'
import { parseAddress, parseSize, parseText } from './values'
import { attribute, child, children, type XmlNode } from './xml-node'
import type { EpisodeExtras } from '../../../shared/api/episode'
import type { EpisodeColumns } from '../../store/episodes'

const MAX_FORMS = 20
const MAX_SOURCES = 8
const MAX_TEXT = 200
/** The base64 of a SHA-512 takes 95 characters; of several, a few hundred. */
const MAX_INTEGRITY = 1000

/**
 * Other forms of the same recording: video, a small file, another codec or language. Absent if there are none: an
 * item that has nothing new must not look edited. https://podcasting2.org/docs/podcast-namespace/tags/alternate-enclosure
 */
export function formsOf(item: XmlNode, base: string): { forms?: ParsedForm[] } {
  const seen = new Set<string>()
  const forms = children(item, 'podcast:alternateenclosure')
    .slice(0, MAX_FORMS)
    .flatMap(node => formOf(node, base) ?? [])
    .filter(({ id }) => !seen.has(id) && seen.add(id))
  return forms.length > 0 ? { forms } : {}
}

function formOf(node: XmlNode, base: string): ParsedForm | null {
  const sources = sourcesOf(node, base)
  const [first] = sources
  if (!first) return null
  const type = short(attribute(node, 'type'))?.toLowerCase() ?? first.type ?? ''
  const size = parseSize(attribute(node, 'length'))
  const bitrate = positive(attribute(node, 'bitrate'))
  const height = positive(attribute(node, 'height'))
  const title = short(attribute(node, 'title'))
  const language = short(attribute(node, 'lang'))
  const codecs = short(attribute(node, 'codecs'))
  const rel = short(attribute(node, 'rel'))
  const integrity = integrityOf(node)
  return {
    id: Bun.hash(first.url).toString(36),
    type,
    sources,
    isDefault: attribute(node, 'default')?.toLowerCase() === 'true',
    ...(size !== null && size > 1 && { size }),
    ...(bitrate !== null && { bitrate }),
    ...(height !== null && { height }),
    ...(title && { title }),
    ...(language && { language }),
    ...(codecs && { codecs }),
    ...(rel && { rel }),
    ...(integrity && { integrity }),
  }
}

/** The sources that can be fetched: a source may also be a torrent or an address of IPFS. */
const sourcesOf = (node: XmlNode, base: string): ParsedForm['sources'] =>
  children(node, 'podcast:source')
    .slice(0, MAX_SOURCES)
    .flatMap(source => {
      const url = parseAddress(attribute(source, 'uri'), base)
      const type = short(attribute(source, 'contenttype'))?.toLowerCase()
      return url ? [{ url, ...(type && { type }) }] : []
    })

function integrityOf(node: XmlNode): ParsedForm['integrity'] | null {
  const integrity = child(node, 'podcast:integrity')
  const type = attribute(integrity, 'type')?.toLowerCase()
  const value = parseText(attribute(integrity, 'value'))
  if ((type !== 'sri' && type !== 'pgp-signature') || !value) return null
  // A signature is too long to store, and only the publisher's key could check it.
  if (type === 'pgp-signature') return { type, value: '' }
  return value.length <= MAX_INTEGRITY ? { type, value } : null
}

keepSmall(formsOf, formOf, sourcesOf, integrityOf)

/** The forms as enclosures, for items whose own enclosure can't be played. */
export const formsAsEnclosures = (forms: readonly ParsedForm[]): ParsedEnclosure[] =>
  forms.map(({ sources, type, size }) => ({ url: sources[0]!.url, type: type || null, size: size ?? null }))

const short = (raw: string | null | undefined) => parseText(raw)?.slice(0, MAX_TEXT) ?? null

function positive(raw: string | null | undefined): number | null {
  const number = Number(raw ?? Number.NaN)
  return number > 0 && number < 1e12 ? Math.round(number) : null
}

/** The content of an episode's tags that have no column; its forms with all of their addresses. */
export const extrasOfEpisode = ({ extras }: Pick<EpisodeColumns, 'extras'>) =>
  extras === null ? null : (JSON.parse(extras) as StoredExtras)
export type StoredExtras = Omit<EpisodeExtras, 'forms'> & { forms?: readonly ParsedForm[] }

/** The other forms of an episode, as its feed names them. */
export function formsOfEpisode({ extras }: Pick<EpisodeColumns, 'extras'>): readonly ParsedForm[] {
  if (extras === null || !extras.includes('"forms"')) return []
  return (JSON.parse(extras) as { forms?: ParsedForm[] }).forms ?? []
}
