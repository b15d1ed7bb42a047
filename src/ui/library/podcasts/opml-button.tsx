import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../../app-context'
import { OpmlFileButton } from './opml-file-button'
import { useOpmlInside } from './use-opml-inside'

/** Reads a list of feeds from a file and opens the page on which a person chooses what to import. */
export function OpmlButton({ onRead }: { onRead: () => void }) {
  const { toasts } = useApp()
  const { t } = useTranslation()
  const { lookInside, isBusy, reason } = useOpmlInside(onRead)
  useEffect(() => {
    if (reason !== null) toasts.failed(reason)
  }, [reason, toasts])
  return <OpmlFileButton label={t('opml-file')} className="quiet opml-button" isBusy={isBusy} onRead={lookInside} />
}
