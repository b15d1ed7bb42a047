import { useMemo } from 'react'
import { createAdministrationApi } from './api/administration'
import { useApp } from './app-context'

/** The calls that only some pages need; a module of its own, so that the others do not load them. */
export function useAdministrationApi() {
  const { client } = useApp()
  return useMemo(() => createAdministrationApi(client), [client])
}
