import { Download, Headphones, Share2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../app-context'
import { BusyButton } from '../components/busy-button'
import { useAction } from '../components/use-action'
import { saveFile } from '../device/save-file'
import { canShareFile, shareFile } from '../device/share'
import { useAdministrationApi } from '../use-administration'
import { clipName } from './clip-name'
import type { Passage } from './passage'
import type { Playing } from './state'

type Props = { playing: Playing; passage: Passage }
type Made = { file: File; address: string; of: Passage }

/** The sound of a passage: heard before it is shared, saved, or handed to the system as a file. */
export function ClipAudio({ playing: { episode }, passage }: Props) {
  const { player, failed } = useApp()
  const { clips } = useAdministrationApi()
  const { t } = useTranslation()
  const [made, setMade] = useState<Made | null>(null)
  useEffect(() => () => URL.revokeObjectURL(made?.address ?? ''), [made])
  // A clip of other borders is no preview of this one.
  const current = made?.of === passage ? made : null

  async function make(): Promise<Made> {
    if (current) return current
    const sound = await clips.cut(episode.id, passage.start, passage.end)
    const name = clipName(episode.name, passage, sound.type)
    const file = new File([sound], name, { type: sound.type })
    const fresh = { file, address: URL.createObjectURL(file), of: passage }
    setMade(fresh)
    return fresh
  }
  const listening = useAction(make, failed)
  const saving = useAction(async () => {
    const { file } = await make()
    saveFile(file.name, file)
  }, failed)
  return (
    <>
      <div className="share-buttons">
        <BusyButton className="secondary with-icon" isBusy={listening.isBusy} onClick={() => listening.run()}>
          <Headphones size={18} aria-hidden="true" />
          {t('clip-listen')}
        </BusyButton>
        <BusyButton className="secondary with-icon" isBusy={saving.isBusy} onClick={() => saving.run()}>
          <Download size={18} aria-hidden="true" />
          {t('clip-download')}
        </BusyButton>
        {current && canShareFile(current.file) && (
          <button type="button" className="secondary with-icon" onClick={() => void shareFile(current.file)}>
            <Share2 size={18} aria-hidden="true" />
            {t('clip-share')}
          </button>
        )}
      </div>
      {current && (
        <audio controls autoPlay src={current.address} aria-label={t('clip-preview')} onPlay={() => player.pause()} />
      )}
    </>
  )
}
