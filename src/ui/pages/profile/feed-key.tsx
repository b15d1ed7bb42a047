import { RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { User } from '../../../shared/api/user'
import { useApp } from '../../app-context'
import { IconButton } from '../../components/icon-button'
import { KeyField } from '../../components/key-field'
import { FormDialog } from '../../library/forms/form-dialog'
import { useCopyKey } from '../../library/forms/use-copy-key'

/** The key in the feed addresses that podcast apps use; it can be renewed after it has leaked. */
export function FeedKeySection({ user }: { user: User }) {
  const { session, toasts } = useApp()
  const { t } = useTranslation()
  const copyKey = useCopyKey()
  const [isRenewing, setRenewing] = useState(false)
  const key = user.feedKey ?? ''
  async function renew() {
    await session.renewFeedKey()
    toasts.done(t('feed-key-renewed'))
  }
  return (
    <section className="profile-card">
      <KeyField label={t('feed-key')} help={t('feed-key-help')} value={key} isHidden onCopy={() => void copyKey(key)}>
        <IconButton icon={RefreshCw} label={t('renew-feed-key')} onClick={() => setRenewing(true)} />
      </KeyField>
      {isRenewing && (
        <FormDialog
          isDanger
          title={t('renew-feed-key-title')}
          action={t('renew-feed-key')}
          onSubmit={renew}
          onClose={() => setRenewing(false)}
        >
          <p>{t('renew-feed-key-text')}</p>
        </FormDialog>
      )}
    </section>
  )
}
