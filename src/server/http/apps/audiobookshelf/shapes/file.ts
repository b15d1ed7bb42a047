import type { CatalogueEpisode } from '../../../../store/catalogue'

/** The format of a file: its extension with a dot, its media type, and the name of its codec. */
export type FileFormat = { ext: string; type: string; codec: string }

const formats = new Map(
  [
    ['mp3', 'audio/mpeg', 'mp3'],
    ['m4a', 'audio/mp4', 'aac'],
    ['m4b', 'audio/mp4', 'aac'],
    ['aac', 'audio/aac', 'aac'],
    ['ogg', 'audio/ogg', 'vorbis'],
    ['oga', 'audio/ogg', 'vorbis'],
    ['opus', 'audio/ogg', 'opus'],
    ['flac', 'audio/flac', 'flac'],
    ['wav', 'audio/wav', 'pcm_s16le'],
    ['wma', 'audio/x-ms-wma', 'wmav2'],
    ['aiff', 'audio/x-aiff', 'pcm_s16be'],
    ['webm', 'audio/webm', 'opus'],
    ['mp4', 'video/mp4', 'aac'],
    ['m4v', 'video/x-m4v', 'aac'],
    ['mov', 'video/quicktime', 'aac'],
    ['webm video', 'video/webm', 'opus'],
  ].map(([name, type, codec]): [string, FileFormat] => [
    name!,
    { ext: `.${name!.split(' ')[0]}`, type: type!, codec: codec! },
  ]),
)
const mp3 = formats.get('mp3')!

/** Other names that hosts use for these types. */
const aliases = [
  ['audio/mp3', 'mp3'],
  ['audio/mpg', 'mp3'],
  ['audio/mpeg3', 'mp3'],
  ['audio/x-mp3', 'mp3'],
  ['audio/x-mpeg', 'mp3'],
  ['audio/m4a', 'm4a'],
  ['audio/x-m4a', 'm4a'],
  ['audio/aacp', 'aac'],
  ['audio/opus', 'opus'],
  ['application/ogg', 'ogg'],
  ['audio/x-flac', 'flac'],
  ['audio/x-wav', 'wav'],
  ['audio/wave', 'wav'],
  ['audio/aiff', 'aiff'],
] as const

const byType = new Map<string, FileFormat>([
  ...[...formats.values()].toReversed().map((format): [string, FileFormat] => [format.type, format]),
  ...aliases.map(([type, name]): [string, FileFormat] => [type, formats.get(name)!]),
])

/** The format of an episode's media, by the type of its file or feed, else by its address. Never unknown: MP3 then. */
export function formatOf({ file_type, enclosure_type, enclosure_url }: MediaOf): FileFormat {
  const type = file_type ?? enclosure_type
  const known =
    type === null ? undefined : (byType.get(type) ?? byType.get(type.split(';', 1)[0]!.trim().toLowerCase()))
  if (known) return known
  const extension = /\.([a-z0-9]{3,4})(?:[?#]|$)/i.exec(enclosure_url)?.[1]?.toLowerCase() ?? ''
  return formats.get(extension) ?? mp3
}
type MediaOf = Pick<CatalogueEpisode, 'file_type' | 'enclosure_type' | 'enclosure_url'>

/** The length in seconds, never 0: if unknown, estimated at 16,000 bytes per second, else an hour. */
export const durationOf = ({ duration, file_size, enclosure_size }: LengthOf): number =>
  duration > 0 ? duration : Math.round((file_size ?? enclosure_size ?? 0) / 16_000) || 3600
type LengthOf = Pick<CatalogueEpisode, 'duration' | 'file_size' | 'enclosure_size'>

/** A file in the folder of a podcast; both are names that apps show or store, not paths of this server. */
export const presentFile = (folder: string, filename: string, ext: string, size: number, at: number) => ({
  filename,
  ext,
  path: `/podcasts/${folder}/${filename}`,
  relPath: filename,
  size,
  mtimeMs: at,
  ctimeMs: at,
  birthtimeMs: at,
})

const MAX_NAME = 60

/**
 * A name that an app can give the file of an episode: one segment of letters, digits and spaces, with an end that makes
 * it unique.
 */
export function fileNameOf({ uuid, title }: Pick<CatalogueEpisode, 'uuid' | 'title'>, ext: string): string {
  const words = title
    .slice(0, MAX_NAME)
    .toWellFormed()
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()
  return `${words || 'Episode'}-${uuid.slice(-12)}${ext}`
}
