import { useSignals } from '@preact/signals-react/runtime'
import { FileUp } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import type { OpmlImport } from '../../../shared/api/job'
import { useApp } from '../../app-context'
import { useAction } from '../../components/use-action'
import { watchArrivals } from '../../device/arrivals'
import { describeFailure } from '../../failure'
import { routes } from '../../routes'

/** Accepts an address or a list of feeds that is pasted or dropped anywhere, from those who may add podcasts. */
export function AddAnywhere() {
  useSignals()
  const { session } = useApp()
  return session.mayAdd.value ? <Watching /> : null
}

function Watching() {
  const { addPodcast, moving, toasts } = useApp()
  const [, navigate] = useLocation()
  const { t } = useTranslation()
  const [isOver, setOver] = useState(false)
  const { lookInside, reason } = useOpmlInside()
  const look = useRef(lookInside)
  look.current = lookInside
  useEffect(
    () =>
      watchArrivals(document, {
        onHover: setOver,
        onArrival(arrival) {
          if ('address' in arrival) addPodcast.open(arrival.address)
          else if ('list' in arrival) look.current(arrival.list)
          else {
            moving.drop(arrival.file)
            navigate(routes.settingsOf('move-in'))
          }
        },
      }),
    [addPodcast, moving, navigate],
  )
  useEffect(() => {
    if (reason !== null) toasts.failed(reason)
  }, [reason, toasts])
  if (!isOver) return null
  return (
    <div className="drop-page stack gap-12" role="status">
      <FileUp size={40} strokeWidth={1.5} aria-hidden="true" />
      {t('drop-to-look-inside')}
    </div>
  )
}

/** An action that reads a list of feeds and opens the page on which one chooses what to import. */
export function useOpmlInside(onRead?: () => void) {
  const { opmlImport } = useApp()
  const [, navigate] = useLocation()
  const { failure, run, isBusy } = useAction(async (source: OpmlImport) => {
    await opmlImport.preview(source)
    onRead?.()
    navigate(routes.settingsOf('opml'))
  })
  return { lookInside: run, isBusy, reason: failure === null ? null : describeFailure(failure) }
}
