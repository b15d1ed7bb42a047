import { Copy, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { User } from '../../../shared/api/user'
import { useApp } from '../../app-context'
import { copyText } from '../../device/clipboard'
import { FormDialog } from '../../components/form-dialog'
import { IconButton } from '../../components/icon-button'

/** The key in the addresses that podcast apps use: to be copied, and renewed when one got into wrong hands. */
export function FeedKeySection({ user }: { user: User }) {
  const { session, toasts } = useApp()
  const { t } = useTranslation()
  const [isRenewing, setRenewing] = useState(false)
  const key = user.feedKey ?? ''
  return (
    <section>
      <label htmlFor="feed-key">{t('feed-key')}</label>
      <div className="key-field">
        <input id="feed-key" type="password" autoComplete="off" value={key} readOnly aria-describedby="feed-key-help" />
        <IconButton
          icon={Copy}
          label={t('copy')}
          onClick={() => void copyText(key).then(isCopied => isCopied && toasts.done(t('copied')))}
        />
        <IconButton icon={RefreshCw} label={t('renew-feed-key')} onClick={() => setRenewing(true)} />
      </div>
      <small id="feed-key-help">{t('feed-key-help')}</small>
      {isRenewing && (
        <FormDialog
          isDanger
          title={t('renew-feed-key-title')}
          action={t('renew-feed-key')}
          onSubmit={async () => {
            await session.renewFeedKey()
            toasts.done(t('feed-key-renewed'))
          }}
          onClose={() => setRenewing(false)}
        >
          <p>{t('renew-feed-key-text')}</p>
        </FormDialog>
      )}
    </section>
  )
}
