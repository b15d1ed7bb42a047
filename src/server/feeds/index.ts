import type { Config } from '../config'
import type { Thread } from '../thread'
import type { FeedLimits } from './fetch/fetch'
import type { FeedsNeeds } from './needs'
import { createPreview } from './preview'
import { createDigester } from './digester'
import { createRefresh } from './refresh'
import { createSubscribe } from './subscribe'
import type { FeedTasks } from './tasks'

type Needs = Omit<FeedsNeeds, 'digester' | 'limits' | 'pollingMinutes' | 'parallel'> & {
  config: Pick<Config, 'pollingMinutes' | 'parallelRefreshes' | 'podcastLimit'>
  thread: Thread<FeedTasks>
  folderFor: Parameters<typeof createSubscribe>[0]['folderFor']
  limits: FeedLimits | undefined
}

/** Creates everything that reads feeds. */
export function createFeeds({ config, thread, folderFor, ...needs }: Needs) {
  const { pollingMinutes, parallelRefreshes, podcastLimit } = config
  const feeds = { ...needs, digester: createDigester(thread), pollingMinutes, parallel: parallelRefreshes }
  const refresh = createRefresh(feeds)
  const { subscribe, changeFeed } = createSubscribe({ ...feeds, refresh, folderFor, podcastLimit })
  return { refresh, subscribe, changeFeed, previewFeed: createPreview({ ...feeds, podcastLimit }) }
}
