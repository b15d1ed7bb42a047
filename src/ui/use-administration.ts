import { useMemo } from 'react'
import { createAdministrationApi } from './api/administration'
import { useApp } from './app-context'

/** Returns the calls that only some pages need. A separate module, so that other pages do not load them. */
export function useAdministrationApi() {
  const { client } = useApp()
  return useMemo(() => createAdministrationApi(client), [client])
}
