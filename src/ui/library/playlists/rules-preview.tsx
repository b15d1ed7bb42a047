import { useSignals } from '@preact/signals-react/runtime'
import { useTranslation } from 'react-i18next'
import type { SmartRules } from '../../../shared/api/smart-playlist'
import { useApp } from '../../app-context'
import { describeFailure } from '../../failure'
import { formatMinutes } from '../../format'
import { areComplete } from '../../state/smart-rules'
import { useResource } from '../../use-resource'
import { EpisodeLine } from './episode-line'

const PREVIEW_AFTER_MS = 250

/** What the rules match now. It follows the rules at its own pace, and an answer that is overtaken is dropped. */
export function RulesPreview({ rules }: { rules: SmartRules }) {
  useSignals()
  const { api } = useApp()
  const { t } = useTranslation()
  const asked = areComplete(rules) ? JSON.stringify({ ...rules, keepDownloaded: 0 }) : null
  const preview = useResource(
    async (_, text: string | null) =>
      text === null ? null : await api.playlists.preview(JSON.parse(text) as SmartRules),
    [asked],
    { debounceMs: PREVIEW_AFTER_MS },
  )
  const { data } = preview
  return (
    <section className="rules-preview" aria-label={t('rules-preview')} data-stale={preview.isStale ? '' : undefined}>
      <p className="muted numbers" role="status">
        {asked === null
          ? t('rules-incomplete')
          : preview.error !== null
            ? describeFailure(preview.error)
            : data &&
              (data.count === 0
                ? t('rules-match-nothing')
                : [t('rules-matches', { number: data.count }), data.seconds > 0 && formatMinutes(data.seconds)]
                    .filter(Boolean)
                    .join(' · '))}
      </p>
      {asked !== null && data && data.items.length > 0 && (
        <ul>
          {data.items.map(({ podcastEpisode }) => (
            <li key={podcastEpisode.id}>
              <EpisodeLine item={podcastEpisode} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
