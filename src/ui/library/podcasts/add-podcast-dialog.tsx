import { useTranslation } from 'react-i18next'
import { useApp } from '../../app-context'
import { Dialog } from '../../components/dialog'
import type { Opening } from '../../state/shell'
import { AddForm } from './add-form'
import './adding.css'
import { useEffect } from 'react'
import { OpmlFileButton } from './opml-file-button'
import { useOpmlInside } from './add-anywhere'

/** Adds a podcast by whatever leads to it: an address, a web page, a list of feeds, or words for a directory. */
export function AddPodcastDialog({ opening }: { opening: Opening }) {
  const { addPodcast } = useApp()
  const { t } = useTranslation()
  return (
    <Dialog title={t('add-podcast')} onClose={() => addPodcast.close(opening)}>
      {close => (
        <div className="add-podcast">
          <AddForm
            text={opening.text}
            onAdded={close}
            buttons={
              <>
                <OpmlButton onRead={close} />
                <button type="button" className="secondary above-phone" onClick={close}>
                  {t('cancel')}
                </button>
              </>
            }
          />
        </div>
      )}
    </Dialog>
  )
}

/** Reads a list of feeds from a file and opens the page on which a person chooses what to import. */
function OpmlButton({ onRead }: { onRead: () => void }) {
  const { toasts } = useApp()
  const { t } = useTranslation()
  const { lookInside, isBusy, reason } = useOpmlInside(onRead)
  useEffect(() => {
    if (reason !== null) toasts.failed(reason)
  }, [reason, toasts])
  return <OpmlFileButton label={t('opml-file')} className="quiet opml-button" isBusy={isBusy} onRead={lookInside} />
}
