import { Copy } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../components/icon-button'
import { useCopyKey } from './use-copy-key'
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
      <code>
        {inGroups ? [...text.matchAll(/.{1,4}/g)].map(({ 0: group, index }) => <span key={index}>{group}</span>) : text}
      </code>
      <IconButton icon={Copy} label={t('copy')} onClick={() => void copy(text)} />
    </p>
  )
}
