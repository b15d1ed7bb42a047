import { useMemo } from 'react'
import { useApp } from '../app-state'
import { createAdministrationApi } from './administration'

export function useAdministrationApi() {
  const { client } = useApp()
  return useMemo(() => createAdministrationApi(client), [client])
}
