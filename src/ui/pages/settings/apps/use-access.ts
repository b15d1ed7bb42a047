import { useEffect } from 'react'
import { useAdministrationApi } from '../../../use-administration'
import { useResource } from '../../../use-resource'
import { listAccess, type Access } from './access'

const REFRESH_MS = 5000

/**
 * The apps and devices with access, refreshed while the page is in sight: an app appears as soon as it is connected.
 */
export function useAccess() {
  const api = useAdministrationApi()
  const access = useResource(async () => {
    const [sessions, passwords, devices] = await Promise.all([
      api.appSessions.list(),
      api.appPasswords.list(),
      api.devices.list(),
    ])
    return listAccess({ sessions, passwords, devices })
  }, [])
  const { retry } = access
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) void retry()
    }, REFRESH_MS)
    return () => clearInterval(timer)
  }, [retry])

  async function remove({ kind, id }: Access) {
    const of = kind === 'session' ? api.appSessions : kind === 'device' ? api.devices : api.appPasswords
    await of.remove(id)
    void retry()
  }
  return { access, retry, remove }
}
