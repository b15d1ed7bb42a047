import { useTranslation } from 'react-i18next'
import type { Transcript } from '../../../shared/api/texts'
import { useApp } from '../../app-context'
import { languageName } from '../../format-facts'
import { translate } from '../../i18n'
import { useResource } from '../../use-resource'

type Props = {
  all: readonly Transcript[]
  /** The language that is shown; null = unknown. */
  language: string | null
  onChange: (language: string) => void
}

/** Chooses among the languages of an episode's transcripts; nothing if there is no choice. */
export function TranscriptLanguage({ all, language, onChange }: Props) {
  const { t } = useTranslation()
  const languages = [...new Set(all.filter(({ source }) => source === 'feed').map(one => one.language ?? ''))]
  if (languages.length < 2) return null
  return (
    <select
      className="transcript-language fits below-8"
      aria-label={t('transcript-language')}
      value={language ?? ''}
      onChange={event => onChange(event.target.value)}
    >
      {languages.map(code => (
        <option key={code} value={code}>
          {code === '' ? t('transcript') : languageName(code)}
        </option>
      ))}
    </select>
  )
}

/** Says why no transcript of an episode can be shown, once for each reason. */
export function TranscriptCauses({ episodeId }: { episodeId: string }) {
  const { api } = useApp()
  const { data } = useResource((_, id: string) => api.episodes.transcripts(id), [episodeId])
  return <Causes causes={(data ?? []).map(({ cause }) => cause)} />
}

/** Says why the chapter file of an episode could not be read. */
export function ChapterCauses({ episodeId }: { episodeId: string }) {
  const { api } = useApp()
  const { data } = useResource((_, id: string) => api.episodes.chapterFiles(id), [episodeId])
  return <Causes causes={(data ?? []).map(({ cause }) => cause)} />
}

const Causes = ({ causes }: { causes: readonly (string | null)[] }) =>
  [...new Set(causes)].map(cause =>
    cause === null ? null : (
      <p key={cause} className="muted">
        {describeCause(cause)}
      </p>
    ),
  )

const understood = new Set(['challenge', 'empty', 'html', 'json', 'login', 'media', 'opml', 'pdf', 'text', 'xml'])

/** Says why a transcript or chapter file is not available, from `cause` or `cause:detail`. */
function describeCause(cause: string): string {
  const [name, detail = ''] = cause.split(':')
  if (name === 'status') return translate('text-cause-status', { status: detail })
  if (name === 'unreachable') return translate('text-cause-unreachable')
  if (name !== 'other') return translate('text-cause-unread')
  const type = translate(`not-a-feed-${understood.has(detail) ? detail : 'unreadable'}`)
  return translate('text-cause-other', { type })
}
