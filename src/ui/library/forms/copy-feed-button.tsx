import { Rss } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../components/icon-button'
import { useCopyFeed } from './use-copy-feed'

/** Copies the address of a private feed. `of`: the name of what it is of, where several stand on a page. */
export function CopyFeedButton({ path, of }: { path: string; of?: string }) {
  const { t } = useTranslation()
  const { copyPath } = useCopyFeed()
  const label = of === undefined ? t('copy-feed-address') : t('copy-feed-address-of', { name: of })
  return <IconButton icon={Rss} label={label} onClick={() => void copyPath(path)} />
}
