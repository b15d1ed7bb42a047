import { useSignals } from '@preact/signals-react/runtime'
import type { GuidFeed } from '../../../shared/api/directory'
import type { RemoteItem } from '../../../shared/api/podcast-tags'
import type { Client } from '../../api/client'
import { useApp } from '../../app-context'
import { useResource } from '../../use-resource'

/** Finds a feed by its guid, in the Podcast Index. */
export const findByGuid = (client: Client, guid: string, signal?: AbortSignal) =>
  client.get<GuidFeed>(`/discover/guid/${encodeURIComponent(guid)}`, {}, signal)

/**
 * Returns the podcast of the library that another feed names, and the best name and address that are known. `mayAsk`: the
 * directory is asked about one that is named by its guid alone.
 */
export function useRemoteItem({ feedUrl, feedGuid, title }: RemoteItem, mayAsk: boolean) {
  useSignals()
  const { client, library, session } = useApp()
  const known = library.all.value.find(
    ({ rssfeed, guid }) => rssfeed === feedUrl || (feedGuid !== undefined && guid === feedGuid),
  )
  const isUnknown = !known && !feedUrl && mayAsk && session.config.value?.podindexConfigured === true
  const { data } = useResource(
    async (signal, guid: string | undefined) => (guid ? findByGuid(client, guid, signal) : null),
    [isUnknown ? feedGuid : undefined],
  )
  const address = feedUrl ?? data?.feedUrl
  const host = address && URL.parse(address)?.hostname
  return { known, address, name: title ?? known?.name ?? data?.title ?? host ?? feedGuid ?? '' }
}
