import { Copy, Rss } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../../app-context'
import { IconButton } from '../../components/buttons'
import { copyText } from '../../device/share'
import '../library.css'

/**
 * A text to be copied, or to be typed: all of it is shown, however long. `inGroups`: in groups of four,
 * with gaps for the eye alone.
 */
export function CopyLine({ text, inGroups = false }: { text: string; inGroups?: boolean }) {
  const { t } = useTranslation()
  const copy = useCopyKey()
  return (
    <p className="copy-line row gap-4">
      <code className="shrinks breaks text-m">
        {inGroups ? [...text.matchAll(/.{1,4}/g)].map(({ 0: group, index }) => <span key={index}>{group}</span>) : text}
      </code>
      <IconButton icon={Copy} label={t('copy')} onClick={() => void copy(text)} />
    </p>
  )
}

/** Copies a key and shows a notice. */
export function useCopyKey() {
  const { toasts } = useApp()
  const { t } = useTranslation()
  return async (key: string) => {
    if (await copyText(key)) toasts.done(t('copied'))
  }
}

/** Copies the address of a private feed. `of`: the name of what it is of, where several stand on a page. */
export function CopyFeedButton({ path, of }: { path: string; of?: string }) {
  const { t } = useTranslation()
  const { copyPath } = useCopyFeed()
  const label = of === undefined ? t('copy-feed-address') : t('copy-feed-address-of', { name: of })
  return <IconButton icon={Rss} label={label} onClick={() => void copyPath(path)} />
}

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
