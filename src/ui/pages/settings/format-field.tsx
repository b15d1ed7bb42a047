import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { TextField } from '../../components/text-field'

const variables = {
  podcastFormat: ['podcastTitle', 'description', 'language', 'explicit', 'keywords', 'date'],
  episodeFormat: ['episodeTitle', 'date', 'episodeNumber', 'description', 'duration', 'guid', 'url'],
} as const
export type FormatName = keyof typeof variables

export const isFormatName = (name: string): name is FormatName => name in variables

type Props = { name: FormatName; value: string; failure: string | null; onChange: (value: string) => void }

/** A format for names, and its variables; pressing one inserts it at the cursor. */
export function FormatField({ name, value, failure, onChange }: Props) {
  const { t } = useTranslation()
  const field = useRef<HTMLInputElement>(null)

  function insert(variable: string) {
    const input = field.current
    const [from, to] = [input?.selectionStart ?? value.length, input?.selectionEnd ?? value.length]
    onChange(`${value.slice(0, from)}{${variable}}${value.slice(to)}`)
    input?.focus()
  }
  return (
    <div className="format">
      <TextField
        label={t(`setting-${name}`)}
        failure={failure}
        ref={field}
        type="text"
        maxLength={200}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={value}
        onChange={onChange}
      />
      <div className="format-variables" role="group" aria-label={t('format-variables')}>
        {variables[name].map(variable => (
          <button key={variable} type="button" className="format-variable" onClick={() => insert(variable)}>
            {`{${variable}}`}
          </button>
        ))}
      </div>
    </div>
  )
}
