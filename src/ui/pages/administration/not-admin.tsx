import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/client'
import { Notice } from '../../components/notice'
import { describeFailure } from '../../failure'

/** Says that a list is for admins, or why else it could not be loaded. */
export function NotAdmin({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation()
  const isRefused = error instanceof ApiError && error.code === 'not-admin'
  return (
    <Notice title={t('not-admin')} isFailure>
      {!isRefused && (
        <>
          <p>{describeFailure(error)}</p>
          <button type="button" className="link-button" onClick={onRetry}>
            {t('try-again')}
          </button>
        </>
      )}
    </Notice>
  )
}
