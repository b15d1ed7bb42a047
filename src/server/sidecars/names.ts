import { dirname, join, parse } from 'node:path/posix'

export type SidecarKind = 'cover' | 'album' | 'show' | 'episode'
export type Sidecar = { path: string; kind: SidecarKind }

/** Extensions of the covers that both programs show. */
const covers: Record<string, string> = { 'image/jpeg': 'jpg', 'image/png': 'png' }

/**
 * What belongs next to the file of an episode, `file` below the media folder: for sound, what says which album its
 * folder is; for a video, which episode it is, and in the podcast's folder which series. The cover is in both
 * folders.
 */
export function sidecarsOf(file: string, type: string, coverType: string | null): Sidecar[] {
  const folder = dirname(file)
  const top = file.split('/')[0]!
  // A file in no folder would share its sidecars with other podcasts.
  if (folder === '.') return []
  const cover = covers[coverType ?? '']
  const found: Sidecar[] = []
  if (cover)
    for (const place of new Set([folder, top])) found.push({ path: join(place, `folder.${cover}`), kind: 'cover' })
  if (!type.startsWith('video/')) return [...found, { path: join(folder, 'album.nfo'), kind: 'album' }]
  return [
    ...found,
    { path: join(top, 'tvshow.nfo'), kind: 'show' },
    { path: join(folder, `${parse(file).name}.nfo`), kind: 'episode' },
  ]
}
