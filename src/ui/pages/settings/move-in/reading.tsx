import { useTranslation } from 'react-i18next'
import type { Move } from '../../../../shared/api/move'
import { DropButton } from './drop-button'

/** A file that is being recognised and tried out. */
export function Reading({ move: { source, file }, move }: { move: Move }) {
  const { t } = useTranslation()
  const title = source === null ? t('move-reading', { file }) : t('move-reading-from', { source })
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <progress aria-label={title} />
      <p className="muted" role="status">
        {t('move-reading-text')}
      </p>
      <DropButton move={move} />
    </section>
  )
}
