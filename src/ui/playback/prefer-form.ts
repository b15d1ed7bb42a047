import type { Episode } from '../../shared/api/episode'
import type { EpisodeForm, PreferredForm } from '../../shared/api/playables'
import { findPreferred } from '../../shared/forms'
import type { Api } from '../api'

/**
 * The form of an episode that its listener prefers; null = the main one, or the file on the server, if that has this
 * form.
 */
export async function preferForm(
  api: Pick<Api['episodes'], 'find'>,
  { episode_id, mime_type, file_size }: Episode,
  preference: PreferredForm,
): Promise<EpisodeForm | null> {
  const { forms = [] } = (await api.find(episode_id)).extras
  if (forms.some(({ isFile }) => isFile)) return null
  return findPreferred(preference, { type: mime_type, size: file_size }, forms)
}
