import { useSignals } from '@preact/signals-react/runtime'
import { useEffect, useMemo } from 'react'
import { useApp } from '../../../app-context'
import { createPushDevice, followOpenedNotices } from '../../../device/push'
import { createPush } from '../../../state/push'
import { useAdministrationApi } from '../../../use-administration'
import { useResource } from '../../../use-resource'

const REFRESH_MS = 5000

/**
 * Where the user wants news to be sent, and this browser as one of these places. The list is refreshed while it is in
 * sight.
 */
export function useDestinations() {
  useSignals()
  const { session, prefix } = useApp()
  const { destinations: api } = useAdministrationApi()
  const destinations = useResource(api.list, [])
  const kinds = useResource(api.kinds, [])
  const owner = session.user.value?.id ?? ''
  const device = useMemo(() => createPushDevice(), [])
  useEffect(() => followOpenedNotices(prefix), [prefix])
  const { retry } = destinations
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) void retry()
    }, REFRESH_MS)
    return () => clearInterval(timer)
  }, [retry])
  const push = useMemo(() => createPush({ api, device, storage: localStorage, owner }), [api, device, owner])
  return { api, destinations, kinds, device, push }
}
export type Destinations = ReturnType<typeof useDestinations>
