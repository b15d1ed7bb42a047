import type { BegunWork } from '../begun-work'
import type { Config } from '../config'
import { createMediaReader, type MediaTasks } from '../media/reader'
import type { MediaLimits } from '../media/limits'
import type { Outbound } from '../outbound/request'
import type { Clock } from '../platform/clock'
import type { Publish } from '../platform/events'
import type { Log } from '../platform/log'
import type { MeasureFree } from '../platform/room'
import type { Secret } from '../platform/secret'
import { createMediaFiles } from '../storage'
import type { BucketLimits } from '../storage/s3'
import type { Store } from '../store'
import type { Thread } from '../thread'
import { createClearCopies, createMediaMove } from './media-move'
import { createFileCheck } from './file-check'
import { createForgottenFiles } from './forgotten'
import { createKeptFiles } from './kept-files'
import type { DownloadLimits } from './pace'
import { createNames } from './names'
import { createDownloads } from './queue'
import { createRename } from './rename'
import { createSpool } from './spool'
import type { FindCover } from './prepare'

type Needs = {
  store: Store
  outbound: Outbound
  secret: Secret
  thread: Thread<MediaTasks>
  publish: Publish
  now: Clock
  elapsed: Clock
  log: Log
  begun: BegunWork
  config: Config
  isServer: boolean
  reserveBytes: number
  covers: { pictureOf: FindCover }
  limits: {
    bucketLimits?: Partial<BucketLimits>
    mediaLimits?: MediaLimits
    downloadLimits?: Partial<DownloadLimits>
    measureFree?: MeasureFree
  }
}

/** Creates everything that keeps media files, in a folder or a bucket: their names, their downloads, their renaming. */
export function createMediaDisk({ config, isServer, covers, limits, ...needs }: Needs) {
  const { store } = needs
  const files = createMediaFiles({
    ...needs,
    config,
    someKnownFiles: store.episodes.someFiles,
    limits: limits.bucketLimits,
    // A command downloads nothing, and neither does a rehearsal, which has a copy of the queue.
    ...(isServer && { onReturn: () => void downloads.storageReturned() }),
  })
  const names = createNames(needs)
  const forgotten = createForgottenFiles({ ...needs, files })
  const media = createMediaReader({ ...needs, limits: limits.mediaLimits })
  const keptFiles = createKeptFiles({ ...needs, files, media })
  const coverOf = covers.pictureOf
  const rename = createRename({ ...needs, names, files, media, coverOf })
  const disk = { files, names, forgotten, media, keptFiles, rename }
  const mediaMove = createMediaMove({ ...needs, files, forgotten })
  const downloads = createDownloads({
    ...needs,
    ...disk,
    coverOf,
    clearCopies: createClearCopies({ dataFolder: config.dataFolder, files, mediaMove }),
    parallel: () => store.settings.current().parallelDownloads ?? config.parallelDownloads,
    limits: limits.downloadLimits,
  })
  const spool = createSpool({
    ...needs,
    isServer,
    dataFolder: config.dataFolder,
    measureFree: limits.measureFree,
    limits: limits.downloadLimits?.spool,
  })
  return { ...disk, downloads, spool, fileCheck: createFileCheck({ ...needs, ...disk }) }
}
