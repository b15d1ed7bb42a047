import { useTranslation } from 'react-i18next'
import { useApp } from '../../app-context'
import { copyText } from '../../device/clipboard'

/**
 * Returns functions that copy the address of a private feed and show a notice: a whole address, or one by its path
 * below `rss`, where the empty path is the feed of everything.
 */
export function useCopyFeed() {
  const { session, toasts } = useApp()
  const { t } = useTranslation()
  async function copyAddress(address: string) {
    if (await copyText(address)) toasts.done(t('feed-address-copied'))
    else toasts.failed(t('link-not-copied', { link: address }))
  }
  function copyPath(path: string) {
    const key = session.user.peek()?.feedKey
    const parts = ['rss', ...(key ? ['apiKey', key] : []), ...(path ? [path] : [])]
    return copyAddress(`${session.config.peek()!.serverUrl}${parts.join('/')}`)
  }
  return { copyAddress, copyPath }
}
