import { useMemo } from 'react'
import { queuesApi } from '../api/queues'
import { useApp } from '../app-context'
import { createQueues } from '../state/queues'

/** Returns the commands about all queues of the listener. */
export function useQueues() {
  const { api, client, queue } = useApp()
  return useMemo(
    () => createQueues({ api: { ...queuesApi(client), reorder: order => api.queue.reorder(order) }, queue }),
    [api, client, queue],
  )
}
