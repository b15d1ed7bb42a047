import { digestFeed, type DigestRequest } from './digest'

declare const self: Worker

self.onmessage = ({ data }: MessageEvent<DigestRequest>) => {
  try {
    self.postMessage({ result: digestFeed(data) })
  } catch (error) {
    self.postMessage({ bug: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
}
