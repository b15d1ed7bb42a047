import { useLocation } from 'wouter'
import type { OpmlImport } from '../../../shared/api/job'
import { useApp } from '../../app-context'
import { useAction } from '../../components/use-action'
import { describeFailure } from '../../failure'
import { routes } from '../../routes'

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
