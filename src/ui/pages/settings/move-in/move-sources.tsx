import { useTranslation } from 'react-i18next'
import type { MoveSource } from '../../../../shared/api/move'

/** Every program that people can come from, and where its file is kept. */
export function MoveSources({ sources }: { sources: readonly MoveSource[] }) {
  const { t } = useTranslation()
  return (
    <section>
      <h2>{t('move-where')}</h2>
      <dl className="setting-card move-sources">
        {sources.map(({ name, title, where }) => (
          <div key={name}>
            <dt>{title}</dt>
            <dd lang="en">{where}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
