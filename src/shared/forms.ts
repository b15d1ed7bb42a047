import type { PreferredForm } from './api/playables'

/** The id that stands for the main form of an episode, its enclosure. */
export const MAIN_FORM = 'main'

type Weighed = { type: string | null; size?: number | null; bitrate?: number; height?: number }

/** Finds the form of an episode that a listener prefers; null = the main one, also if no other fits. */
export function findPreferred<Form extends Weighed>(
  preference: PreferredForm | null,
  main: Weighed,
  forms: readonly Form[],
): Form | null {
  if (preference === null) return null
  const ofKind = (kind: string) => forms.filter(({ type }) => type?.startsWith(kind))
  if (preference === 'audio') return isVideo(main) ? (ofKind('audio/')[0] ?? null) : null
  if (preference === 'video')
    return isVideo(main)
      ? null
      : (ofKind('video/').toSorted((one, other) => heightOf(other) - heightOf(one))[0] ?? null)
  const smaller = (isVideo(main) ? [...ofKind('audio/'), ...ofKind('video/')] : ofKind('audio/')).filter(form =>
    isLighter(form, main),
  )
  return smaller.reduce<Form | null>((best, form) => (best === null || isLighter(form, best) ? form : best), null)
}

/** Compares bytes, else bits a second; a form of unknown weight is not lighter. */
function isLighter(one: Weighed, other: Weighed): boolean {
  if (one.size && other.size) return one.size < other.size
  if (one.bitrate && other.bitrate) return one.bitrate < other.bitrate
  return isVideo(other) && !isVideo(one)
}

const isVideo = ({ type }: Weighed) => type?.startsWith('video/') ?? false
const heightOf = ({ height }: Weighed) => height ?? 0

/** Whether a file of this type is an MP4, with or without pictures. */
export const isMp4 = (type: string) => /mp4|m4[abv]|quicktime|3gp/.test(type)

/** Whether clips can be cut from a file of this type. */
export const canCut = (type: string | null): boolean =>
  type !== null && (type === 'audio/mpeg' || type === 'audio/aac' || isMp4(type))
