import { useTranslation } from '../../../i18n'
import { useAdministrationApi } from '../../../use-administration'
import { useResource } from '../../../use-resource'

/** Every program that people can come from, and where its file lies. */
export function MoveSources() {
  const { t } = useTranslation()
  const { moves } = useAdministrationApi()
  const sources = useResource(moves.sources, [])
  if (sources.data === null) return null
  return (
    <section>
      <h2>{t('move-where')}</h2>
      <dl className="setting-card move-sources">
        {sources.data.map(({ name, title, where }) => (
          <div key={name}>
            <dt>{title}</dt>
            <dd lang="en">{where}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
