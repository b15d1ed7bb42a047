import { findPreferred, MAIN_FORM } from '../../shared/forms'
import type { ParsedForm } from '../feeds/parsed-feed'
import type { Store } from '../store'
import type { DownloadRow } from '../store/downloads'
import { formsOfEpisode } from '../feeds/stored-forms'

/** The form that a download fetches, and where from. `digests`: those that its bytes must have one of; empty = any. */
export type ChosenForm = { id: string; address: string; digests: readonly string[] }

/**
 * Chooses the form of a download: the one that a person or an earlier attempt chose, else the one that the podcast's
 * settings prefer, else the main one. Each attempt takes the next source of the form.
 */
export function chooseForm(store: Store, row: DownloadRow): ChosenForm {
  const episode = store.episodes.find(row.episode_id)!
  const forms = formsOfEpisode(episode)
  const main = { type: episode.enclosure_type, size: episode.enclosure_size }
  const form =
    row.form === null
      ? findPreferred(store.podcastSettings.of(row.podcast_id).preferred_form, main, forms)
      : forms.find(({ id }) => id === row.form)
  if (form) {
    const { url } = form.sources[row.attempts % form.sources.length]!
    return { id: form.id, address: url, digests: digestsOf(form) }
  }
  // A form may describe the enclosure itself.
  const same = forms.find(({ sources }) => sources.some(({ url }) => url === row.enclosure_url))
  return { id: MAIN_FORM, address: row.enclosure_url, digests: same ? digestsOf(same) : [] }
}

const digestsOf = ({ integrity }: ParsedForm): string[] =>
  integrity?.type === 'sri' ? integrity.value.split(/\s+/).filter(Boolean) : []
