import { keepSmall } from '../../platform/engine'
import type { ParsedEnclosure, ParsedForm } from './parsed-feed'
import { parseAddress, parseSize, parseText } from './values'
import { present } from './podcast-tags'
import { attribute, child, listOf, type XmlNode } from './xml-node'
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
  if (item['podcast:alternateenclosure'] === undefined) return {}
  const seen = new Set<string>()
  const forms = listOf(item, 'podcast:alternateenclosure', MAX_FORMS, node => {
    const form = formOf(node, base)
    if (!form || seen.has(form.id)) return null
    seen.add(form.id)
    return form
  })
  return forms.length > 0 ? { forms } : {}
}

function formOf(node: XmlNode, base: string): ParsedForm | null {
  const sources = sourcesOf(node, base)
  const [first] = sources
  if (!first) return null
  const type = short(attribute(node, 'type'))?.toLowerCase() ?? first.type ?? ''
  const size = parseSize(attribute(node, 'length'))
  return present({
    id: Bun.hash(first.url).toString(36),
    type,
    sources,
    isDefault: attribute(node, 'default')?.toLowerCase() === 'true',
    size: size !== null && size > 1 ? size : null,
    bitrate: positive(attribute(node, 'bitrate')),
    height: positive(attribute(node, 'height')),
    title: short(attribute(node, 'title')),
    language: short(attribute(node, 'lang')),
    codecs: short(attribute(node, 'codecs')),
    rel: short(attribute(node, 'rel')),
    integrity: integrityOf(node),
  })
}

/** The sources that can be fetched: a source may also be a torrent or an address of IPFS. */
const sourcesOf = (node: XmlNode, base: string): ParsedForm['sources'] =>
  listOf(node, 'podcast:source', MAX_SOURCES, source => sourceOf(source, base))

function sourceOf(source: XmlNode, base: string): ParsedForm['sources'][number] | null {
  const url = parseAddress(attribute(source, 'uri'), base)
  return url ? present({ url, type: short(attribute(source, 'contenttype'))?.toLowerCase() ?? null }) : null
}

function integrityOf(node: XmlNode): NonNullable<ParsedForm['integrity']> | null {
  const integrity = child(node, 'podcast:integrity')
  const type = attribute(integrity, 'type')?.toLowerCase()
  const value = parseText(attribute(integrity, 'value'))
  if ((type !== 'sri' && type !== 'pgp-signature') || !value) return null
  // A signature is too long to store, and only the publisher's key could check it.
  if (type === 'pgp-signature') return { type, value: '' }
  return value.length <= MAX_INTEGRITY ? { type, value } : null
}

keepSmall(formsOf, formOf, sourcesOf, sourceOf, integrityOf)

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
