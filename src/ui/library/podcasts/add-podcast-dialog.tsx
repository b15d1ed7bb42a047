import { useSignals } from '@preact/signals-react/runtime'
import { useTranslation } from '../../i18n'
import { useApp } from '../../app-context'
import { Dialog } from '../../components/dialog'
import { AddForm } from './add-form'
import { OpmlButton } from './opml-button'
import './add-podcast-dialog.css'

/** Adds a podcast by whatever leads to it: an address, a web page, a list of feeds, or words for a directory. */
export function AddPodcastDialog() {
  useSignals()
  const { addPodcast } = useApp()
  const { t } = useTranslation()
  return (
    <Dialog title={t('add-podcast')} onClose={addPodcast.close}>
      {close => (
        <div className="add-podcast">
          <AddForm
            text={addPodcast.text.value}
            onAdded={close}
            buttons={
              <>
                <OpmlButton onRead={close} />
                <button type="button" className="secondary add-podcast-cancel" onClick={close}>
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
