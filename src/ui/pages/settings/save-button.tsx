import { useTranslation } from 'react-i18next'

/** At the foot of a form whose changes are kept until they are saved or discarded. */
export function SaveButton({
  isBusy,
  isRefused = false,
  isChanged,
  onDiscard,
}: {
  isBusy: boolean
  isRefused?: boolean
  isChanged: boolean
  onDiscard: () => void
}) {
  const { t } = useTranslation()
  return (
    <div className="settings-save">
      <button type="submit" aria-busy={isBusy} disabled={isBusy || isRefused}>
        {t('save')}
      </button>
      {isChanged && (
        <>
          <button type="button" className="secondary" onClick={onDiscard}>
            {t('discard')}
          </button>
          <span className="muted" role="status">
            {t('not-saved-yet')}
          </span>
        </>
      )}
    </div>
  )
}
